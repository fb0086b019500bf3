// The log at a terminal: a line for each request, and JSON for programs.
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { pino } from 'pino'
import { requestLogger } from '../surfaces/rest/server.ts'
import { loggedError } from './open-log.ts'
import { isReadable, readableLog } from './readable-log.ts'

/** The text that a terminal shows of the lines, with colors or without. */
async function shown(write: (log: pino.Logger) => void, colors = false): Promise<string> {
  const output = Object.assign(new PassThrough(), { isTTY: true, hasColors: () => colors })
  const stream = readableLog(output)
  write(pino({ serializers: { err: loggedError } }, stream))
  stream.end()
  return await text(output)
}

const request = {
  request_id: '71d6357d-21d5-46d5-a394-c9aa761465b3',
  method: 'POST',
  route: '/v1/domains',
  ms: 3.84,
  caller: null,
  cause: null,
}

test('writes a request as one line, with the request id only where it failed', async () => {
  const lines = await shown((log) => {
    requestLogger(log)({ ...request, status: 200, error_code: null })
    requestLogger(log)({ ...request, status: 402, error_code: 'insufficient_funds' })
  })
  const [done, refused, ...more] = lines.trimEnd().split('\n')
  assert.deepEqual(more, [])
  assert.match(done ?? '', /^\[\d\d:\d\d:\d\d\] INFO: POST \/v1\/domains 200, 4 ms$/)
  assert.match(
    refused ?? '',
    /INFO: POST \/v1\/domains 402 insufficient_funds, 4 ms, request 71d6357d-\S+$/,
  )
})

test('writes the stack of an error below its line', async () => {
  const lines = await shown((log) =>
    requestLogger(log)({
      ...request,
      status: 500,
      error_code: 'internal',
      cause: new Error('gone'),
    }),
  )
  assert.match(lines, /ERROR: POST \/v1\/domains 500 internal, 4 ms/)
  assert.match(lines, /Error: gone\n +at /)
})

test('writes an event with its facts on one line', async () => {
  const lines = await shown((log) => log.info({ registry: 'thin', sessions: 1 }, 'registry opened'))
  assert.match(lines, /INFO: registry opened \{"registry":"thin","sessions":1\}\n$/)
})

test('uses colors only where the terminal has them', async () => {
  const event = (log: pino.Logger) => log.info('hello')
  const [colored, bare] = [await shown(event, true), await shown(event)]
  assert.notEqual(stripVTControlCharacters(colored), colored)
  assert.equal(stripVTControlCharacters(bare), bare)
})

test('is readable at a terminal, or where it is asked for', () => {
  assert.equal(isReadable('auto', { isTTY: true }), true)
  assert.equal(isReadable('auto', {}), false)
  assert.equal(isReadable('json', { isTTY: true }), false)
  assert.equal(isReadable('text', {}), true)
})
