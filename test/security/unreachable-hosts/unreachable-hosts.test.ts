// Hosts without a route, as one with only an IPv6 address from a machine that has none: a failed
// connection is an answer, and never the end of the process.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..', '..', '..')
const mayUnshare = spawnSync('unshare', ['-n', 'true']).status === 0
const skip =
  mayUnshare || process.env.CI === 'true'
    ? false
    : 'This user may not make a network namespace (unshare -n).'

test('each way to the outside outlives a network without any route', { skip }, () => {
  const program = join(import.meta.dirname, 'unreachable-hosts.fixture.ts')
  const words = ['-n', process.execPath, program]
  const { stdout, stderr, status } = spawnSync('unshare', words, {
    encoding: 'utf8',
    timeout: 60_000,
  })
  assert.equal(status, 0, `${stdout}\n${stderr}`)
  const ended = stdout.trim().split('\n')
  assert.equal(ended.pop(), 'alive')
  const expected: [RegExp, string][] = [
    [/^POST /, 'PostFailed'],
    [/^document /, 'FetchFailed'],
    [/^question /, 'null'],
    [/^EPP /, 'EppError'],
    [/^provider /, 'NoAnswer'],
    [/^fetch /, 'TypeError'],
    [/^database /, 'DatabaseUnavailable'],
    [/^mail /, '"away"'],
  ]
  for (const line of ended) {
    const [, end] = expected.find(([name]) => name.test(line)) ?? []
    assert.equal(line.split(': ')[1], end, line)
  }
  assert.equal(ended.length, 25)
})

/** Clients of the database, sockets, servers, requests, processes and files emit `error`. */
const emitters = new RegExp(
  [
    String.raw`new pg\.(Client|Pool)\(`,
    String.raw`\b(createServer|createSocket|spawn|create(Read|Write)Stream)\(`,
    String.raw`= (connect|start|request)\((\{|url)|https?\.request\(`,
  ].join('|'),
)
/** `once` and `pipeline` reject with it. */
const listens = /\.(on|once)\('error'|\bawait (once|pipeline)\(|= once\(/

test('each file that makes an emitter listens to its errors', () => {
  const files = globSync('{src,cli,sandbox}/**/*.ts', { cwd: root })
  const made = files
    .filter((file) => !/\.(test|fixture)\.ts$|\/(fixtures|typegen)\//.test(file))
    // It reads the settings of a client that never connects.
    .filter((file) => file !== 'src/db/postgres/connection-config.ts')
    .filter((file) => emitters.test(readFileSync(join(root, file), 'utf8')))
  assert.ok(made.length > 20, made.join('\n'))
  const silent = made.filter((file) => !listens.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(silent, [])
})
