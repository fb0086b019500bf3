// TSIG with programs of BIND: nsupdate sends signed updates and dig a signed transfer to a server
// that is made of the library alone; both verify what it answers.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { readMessage } from '../../../src/dns/message/read-message.ts'
import {
  type SignedRequest,
  signAnswer,
  type TsigKey,
  TsigStream,
  tsigAlgorithms,
  verifyRequest,
} from '../../../src/dns/message/tsig.ts'
import { MessageWriter } from '../../../src/dns/message/write-message.ts'
import { nameToWire } from '../../../src/dns/name.ts'
import { rrType } from '../../../src/dns/types.ts'
import { skipDig } from '../../support/dig.ts'

const keys: TsigKey[] = tsigAlgorithms.map((algorithm) => ({
  name: `${algorithm}.key`,
  algorithm,
  secret: Buffer.from('0123456789abcdef0123456789abcdef'),
}))
const notauth = 9
const messages = 5
const serial = Buffer.concat([
  nameToWire('n.example.com'),
  nameToWire('h.example.com'),
  Buffer.alloc(20, 1),
])
const soa = { name: nameToWire('example.com'), type: rrType.soa, ttl: 60, rdata: serial }

/** How far the server's clock is ahead of the real one. */
let late_s = 0
let port = 0
let server: Server
/** Whether an address in the second message of a transfer is changed after it was signed. */
let isSpoiled = false
/** Updates that were verified, as "name type class". */
const updates: string[] = []

function nowS(): number {
  return Math.floor(Date.now() / 1000) - late_s
}

function answersOf(bytes: Buffer): Buffer[] {
  const message = readMessage(bytes)
  assert.ok(!('problem' in message), JSON.stringify(message))
  const { id, opcode, questions, tsig } = message
  const key = keys.find(({ name }) => name === tsig?.name)
  const request = verifyRequest({ bytes, message, key, now_s: nowS() })
  assert.ok(request && 'error' in request, 'It is not signed.')
  const [question] = questions
  const head = { id, flags: 0x8400 | (opcode << 11), question: question?.octets ?? Buffer.of() }
  if (request.error !== 0) {
    const refusal = new MessageWriter({ ...head, flags: head.flags | notauth })
    return [signAnswer(refusal.finish(), request, nowS())]
  }
  if (question?.type === rrType.axfr) return transfer(head, request)
  for (const { name, type, class: of } of message.authority) updates.push(`${name} ${type} ${of}`)
  return [signAnswer(new MessageWriter(head).finish(), request, nowS())]
}

/** There are several messages: the SOA, addresses, and the SOA again. */
function transfer(head: ConstructorParameters<typeof MessageWriter>[0], request: SignedRequest) {
  const stream = new TsigStream(request)
  return Array.from({ length: messages }, (_, at) => {
    const writer = new MessageWriter(at === 0 ? head : { ...head, question: Buffer.of() })
    if (at === 0) writer.add('answer', [soa])
    for (let host = 0; host < 100; host += 1) {
      const name = nameToWire(`h${at}-${host}.example.com`)
      writer.add('answer', [{ name, type: rrType.a, ttl: 60, rdata: Buffer.of(192, 0, at, host) }])
    }
    if (at === messages - 1) writer.add('answer', [soa])
    const signed = stream.sign(writer.finish(), nowS())
    if (isSpoiled && at === 1) signed.writeUInt8((signed[43] ?? 0) ^ 1, 43)
    return signed
  })
}

function serve(): Promise<Server> {
  const { promise, resolve } = Promise.withResolvers<Server>()
  const made = createServer((socket) => {
    let received = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, typeof chunk === 'string' ? Buffer.from(chunk) : chunk])
      const length = received.length < 2 ? Number.POSITIVE_INFINITY : received.readUInt16BE(0)
      if (received.length < 2 + length) return
      for (const answer of answersOf(received.subarray(2, 2 + length))) {
        const size = Buffer.alloc(2)
        size.writeUInt16BE(answer.length)
        socket.write(Buffer.concat([size, answer]))
      }
      received = received.subarray(2 + length)
    })
    socket.on('error', () => socket.destroy())
  })
  made.listen(0, '127.0.0.1', () => resolve(made))
  return promise
}

/** The output and the end of a program with this input. */
function run(program: string, words: string[], input: string) {
  const { promise, resolve } = Promise.withResolvers<{ status: number | null; text: string }>()
  const child = spawn(program, words)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  child.stdin.end(input)
  child.on('close', (status) => resolve({ status, text }))
  return promise
}

function optionOf({ algorithm, name, secret }: TsigKey): string {
  return `${algorithm}:${name}:${secret.toString('base64')}`
}

function nsupdate(key: TsigKey) {
  const lines = [`server 127.0.0.1 ${port}`, 'zone example.com']
  const update = [
    ...lines,
    'update add a.example.com 60 A 192.0.2.1',
    'update delete b.example.com',
  ]
  return run('nsupdate', ['-v', '-y', optionOf(key)], [...update, 'send', ''].join('\n'))
}

function dig(key: TsigKey) {
  const words = ['@127.0.0.1', '-p', String(port), '-y', optionOf(key), 'example.com', 'AXFR']
  return run('dig', [...words, '+tries=1', '+time=5'], '')
}

describe('TSIG with programs of BIND', { skip: skipDig }, () => {
  before(async () => {
    server = await serve()
    const address = server.address()
    port = typeof address === 'object' && address ? address.port : 0
  })
  after(() => server.close())

  for (const key of keys) {
    it(`is accepted in an update and in its answer: ${key.algorithm}`, async () => {
      updates.length = 0
      assert.deepEqual(await nsupdate(key), { status: 0, text: '' })
      assert.deepEqual(updates, ['a.example.com 1 1', 'b.example.com 255 255'])
    })

    it(`is accepted in each message of a transfer: ${key.algorithm}`, async () => {
      const { status, text } = await dig(key)
      assert.equal(status, 0, text)
      assert.match(
        text,
        new RegExp(`XFR size: ${100 * messages + 2} records \\(messages ${messages}`),
      )
      assert.equal(text.match(/\bTSIG\b.*NOERROR/g)?.length, messages, text)
      assert.doesNotMatch(text, /verify|BADSIG|failed/i)
    })

    it(`is missed where a message of a transfer was changed: ${key.algorithm}`, async () => {
      isSpoiled = true
      try {
        assert.match((await dig(key)).text, /verify/)
      } finally {
        isSpoiled = false
      }
    })

    it(`is refused with the errors of RFC 8945: ${key.algorithm}`, async () => {
      const badsig = await nsupdate({ ...key, secret: Buffer.from('another secret of the client') })
      assert.match(badsig.text, /NOTAUTH\(BADSIG\)/)
      const badkey = await nsupdate({ ...key, name: 'unknown.key' })
      assert.match(badkey.text, /NOTAUTH\(BADKEY\)/)
      late_s = 1000
      try {
        assert.match((await nsupdate(key)).text, /NOTAUTH\(BADTIME\)/)
      } finally {
        late_s = 0
      }
    })
  }
})
