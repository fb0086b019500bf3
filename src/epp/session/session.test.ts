// A session against a hostile server: the right failure, and whether bytes may have been sent.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { domainInfo } from '../commands/domain-query.ts'
import { EppError, type EppFailure, type Sent } from '../errors.ts'
import { fixture } from '../fixtures/fixtures.ts'
import {
  answer,
  framed,
  type Script,
  type ScriptedServer,
  startScriptedServer,
} from '../fixtures/scripted-server.ts'
import { freshId, sessionSettings } from '../fixtures/settings.ts'
import { ns } from '../xml/xml.ts'
import type { Step } from './channel.ts'
import { openSession, type Session, type SessionSettings } from './session.ts'

const ok: Script = ({ cl_trid }) => answer(1000, cl_trid)

async function serve(
  t: TestContext,
  script: Script,
  options: Parameters<typeof startScriptedServer>[1] = {},
): Promise<ScriptedServer> {
  const server = await startScriptedServer(script, options)
  t.after(() => server.close())
  return server
}

async function session(t: TestContext, script: Script, own: Partial<SessionSettings> = {}) {
  const server = await serve(t, script)
  const opened = await openSession(sessionSettings(server, own))
  t.after(() => opened.destroy())
  return { session: opened, server }
}

function info(from: Session, at: ((step: Step) => void) | null = null, half_frames = false) {
  const cl_trid = freshId()
  const frame = domainInfo.frame({ name: 'example.com', auth_info: null }, cl_trid)
  return from.send(frame, cl_trid, at ? { at, half_frames } : null)
}

async function failure(work: Promise<unknown>): Promise<EppError> {
  try {
    await work
  } catch (error) {
    assert.ok(error instanceof EppError, String(error))
    return error
  }
  return assert.fail('it succeeded')
}

async function fails(work: Promise<unknown>, expected: [EppFailure, Sent]): Promise<EppError> {
  const error = await failure(work)
  assert.deepEqual([error.failure, error.sent], expected, error.message)
  return error
}

test('a session logs in with what both sides speak, answers, and logs out', async (t) => {
  const frames: string[] = []
  const server = await serve(
    t,
    ({ xml, cl_trid }) => {
      frames.push(xml)
      return answer(xml.includes('<logout') ? 1500 : 1000, cl_trid)
    },
    { every: true, client_cert: true },
  )
  const { cert: ca, cert, key } = server
  const credentials = async () => ({ ca, cert, key, servername: null })
  const extensions = { required: [ns.fee], optional: ['urn:unknown'] }
  const opened = await openSession(sessionSettings(server, { credentials, extensions }))
  assert.equal((await info(opened)).code, 1000)
  await opened.close()
  assert.equal(opened.open, false)
  assert.match(frames[0] ?? '', /<extURI>urn:ietf:params:xml:ns:epp:fee-1.0<\/extURI><\/svcExt/)
  assert.deepEqual(
    frames.map((xml) => /<command><(\w+)/.exec(xml)?.[1]),
    ['login', 'info', 'logout'],
  )
})

test('sends any password by RFC 8807 where the profile wants that, and always the marker itself', async (t) => {
  const server = await serve(t, ok, { every: true })
  const extensions = { required: [ns.loginSec], optional: [] }
  for (const [password, secured_login] of [
    ['foo-BAR2', true],
    ['[LOGIN-SECURITY]', false],
  ] as const) {
    const before = server.received.length
    const own = { password, extensions, secured_login }
    const opened = await openSession(sessionSettings(server, own))
    opened.destroy()
    const xml = server.received[before]?.xml ?? ''
    assert.match(xml, /<pw>\[LOGIN-SECURITY\]<\/pw>/)
    assert.ok(xml.includes(`<loginSec:pw>${password}</loginSec:pw>`), xml)
  }
  const unoffered = { secured_login: true }
  await fails(openSession(sessionSettings(server, unoffered)), ['login', 'not_sent'])
})

test('sends a long password by RFC 8807', async (t) => {
  const server = await serve(t, ok, { every: true })
  const password = 'correct horse battery staple'
  const extensions = { required: [ns.loginSec], optional: [] }
  const opened = await openSession(sessionSettings(server, { password, extensions }))
  opened.destroy()
  const xml = server.received[0]?.xml ?? ''
  assert.match(xml, /<pw>\[LOGIN-SECURITY\]<\/pw>/)
  assert.match(xml, /<loginSec:pw>correct horse battery staple</)
  const error = await fails(openSession(sessionSettings(server, { password })), [
    'login',
    'not_sent',
  ])
  assert.ok(!error.message.includes('horse'))
})

test('steps are reported in order, and half frames only on request', async (t) => {
  const { session: opened } = await session(t, ok)
  const steps: Step[] = []
  await info(opened, (step) => steps.push(step))
  assert.deepEqual(steps.splice(0), ['connected', 'frame_written', 'reply_read'])
  await info(opened, (step) => steps.push(step), true)
  assert.deepEqual(steps, ['connected', 'half_frame_written', 'frame_written', 'reply_read'])
})

test('a client that stops at half a frame leaves the server without a command', async (t) => {
  const { session: opened, server } = await session(t, ok)
  const [socket] = server.sockets
  assert.ok(socket)
  const closed = once(socket, 'close')
  const stop = (step: Step) => {
    if (step === 'half_frame_written') opened.destroy('stopped by the test')
  }
  await fails(info(opened, stop, true), ['closed', 'maybe_sent'])
  await closed
  assert.equal(server.received.length, 0)
})

const refusedLogins: [number, EppFailure][] = [
  [2200, 'authentication'],
  [2501, 'authentication'],
  [2502, 'session_limit'],
  [2400, 'login'],
  [2306, 'login'],
]
for (const [code, expected] of refusedLogins) {
  test(`a log-in that is refused with ${code} is ${expected}`, async (t) => {
    const server = await serve(t, ({ cl_trid }) => answer(code, cl_trid), { every: true })
    const error = await fails(openSession(sessionSettings(server)), [expected, 'not_sent'])
    assert.equal(error.code, code)
  })
}

const badGreetings: Record<string, [Buffer, EppFailure]> = {
  'a greeting above 64 kB': [framed(Buffer.alloc(70_000, 0x20)), 'garbage'],
  'a response instead': [framed(answer(1000, 'x-1')), 'greeting'],
  'no XML': [framed('SSH-2.0-OpenSSH_9.2'), 'greeting'],
  'a DOCTYPE': [framed('<!DOCTYPE epp><epp/>'), 'greeting'],
  'no domain objects': [
    framed(fixture('greeting.xml').toString().replace('xml:ns:domain', 'xml:ns:other')),
    'greeting',
  ],
}
for (const [what, [greeting, expected]] of Object.entries(badGreetings)) {
  test(`${what} for a greeting: no log-in`, async (t) => {
    const server = await serve(t, ok, { greeting, every: true })
    await fails(openSession(sessionSettings(server)), [expected, 'not_sent'])
    assert.equal(server.received.length, 0)
  })
}

test('no greeting, no listener, no TLS, an unknown certificate: never a session, never sent', async (t) => {
  const silent = await serve(t, ok, { greeting: null })
  const late = openSession(sessionSettings(silent, { timeout_ms: 100 }))
  await fails(late, ['timeout', 'not_sent'])
  const gone = await startScriptedServer(ok)
  await gone.close()
  await fails(openSession(sessionSettings(gone)), ['unreachable', 'not_sent'])
  const unknownServer = await serve(t, ok)
  const credentials = async () => ({ ca: gone.cert, cert: null, key: null, servername: null })
  const refused = openSession(sessionSettings(unknownServer, { credentials }))
  await fails(refused, ['unreachable', 'not_sent'])
  const choosy = await serve(t, ok, { client_cert: true })
  assert.equal((await failure(openSession(sessionSettings(choosy)))).sent, 'not_sent')
  const plain = createServer((socket) => socket.end('+OK no TLS here\r\n'))
  t.after(() => plain.close())
  plain.listen(0, '127.0.0.1')
  await once(plain, 'listening')
  const address = plain.address()
  assert.ok(address !== null && typeof address === 'object')
  const withoutTls = openSession(sessionSettings(unknownServer, { port: address.port }))
  await fails(withoutTls, ['unreachable', 'not_sent'])
})

const header = (length: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}
const nested = `${'<a>'.repeat(2_000)}${'</a>'.repeat(2_000)}`
const bomb = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><epp>&c;</epp>'

/** Does something else instead of answering. */
function quiet(act: () => unknown): null {
  act()
  return null
}

/** The server's treatment of a command, and the result that the client should have. */
const hostile: Record<string, [Script, EppFailure]> = {
  'closes at once': [({ socket }) => quiet(() => socket.destroy()), 'closed'],
  'half-closes': [({ socket }) => quiet(() => socket.end()), 'closed'],
  'cuts its header': [
    ({ socket }) => quiet(() => socket.end(header(200).subarray(0, 2))),
    'closed',
  ],
  'cuts its answer': [
    ({ socket, cl_trid }) => quiet(() => socket.end(framed(answer(1000, cl_trid)).subarray(0, 90))),
    'closed',
  ],
  'announces 50 MB': [
    ({ socket }) => quiet(() => socket.write(header(50 * 1024 * 1024))),
    'garbage',
  ],
  'announces nothing': [({ socket }) => quiet(() => socket.write(header(4))), 'garbage'],
  'announces 2^31': [({ socket }) => quiet(() => socket.write(header(2 ** 31))), 'garbage'],
  'sends no XML': [() => 'garbage \u0000\u0001', 'garbage'],
  'sends a DOCTYPE': [() => '<!DOCTYPE epp SYSTEM "file:///etc/passwd"><epp/>', 'garbage'],
  'sends an entity bomb': [() => bomb, 'garbage'],
  'nests deeply': [() => nested, 'garbage'],
  'sends a greeting': [() => fixture('greeting.xml').toString(), 'garbage'],
  'sends another vocabulary': [() => '<epp xmlns="urn:other"><response/></epp>', 'garbage'],
  'gives no code': [({ cl_trid }) => answer(1000, cl_trid).replace('1000', 'ok'), 'garbage'],
  'answers another client': [() => answer(1000, 'another-1'), 'mismatch'],
  'leaves the clTRID out of a success': [() => answer(1000, null), 'mismatch'],
  'says nothing': [() => null, 'timeout'],
}
for (const [what, [script, expected]] of Object.entries(hostile)) {
  test(`a server that ${what}: ${expected}, maybe sent, and the session is over`, async (t) => {
    // The log-in has the same limit, on a machine that may be busy.
    const timeout_ms = expected === 'timeout' ? 1_500 : 5_000
    const { session: opened } = await session(t, script, { timeout_ms })
    await fails(info(opened), [expected, 'maybe_sent'])
    assert.equal(opened.open, false)
    await fails(info(opened), ['closed', 'not_sent'])
  })
}

test('cuts a slowly dripping answer off at the time-out', async (t) => {
  const drip: Script = ({ socket, cl_trid }) => {
    const bytes = framed(answer(1000, cl_trid))
    let at = 0
    const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), 20)
    socket.on('close', () => clearInterval(timer))
    return null
  }
  const { session: opened } = await session(t, drip, { timeout_ms: 1_500 })
  const begun = performance.now()
  await fails(info(opened), ['timeout', 'maybe_sent'])
  assert.ok(performance.now() - begun < 5_000)
})

test('a refusal without clTRID is an answer: the server could not read us', async (t) => {
  const { session: opened } = await session(t, () => answer(2001, null))
  assert.equal((await info(opened)).code, 2001)
  assert.equal(opened.open, true)
})

test('an unexpected second answer fails the next command before it is sent', async (t) => {
  const twice: Script = ({ socket, cl_trid }) => {
    socket.write(Buffer.concat([framed(answer(1000, cl_trid)), framed(answer(1000, cl_trid))]))
    return null
  }
  const { session: opened } = await session(t, twice)
  assert.equal((await info(opened)).code, 1000)
  await fails(info(opened), ['mismatch', 'not_sent'])
})

test('after 2500 the session is over, and its answer still counts', async (t) => {
  const { session: opened } = await session(t, ({ cl_trid }) => answer(2500, cl_trid))
  assert.equal((await info(opened)).code, 2500)
  assert.equal(opened.open, false)
})

test('a hello is answered by a greeting, or the session is over', async (t) => {
  const { session: opened } = await session(t, ok)
  await opened.keepAlive()
  assert.equal(opened.open, true)
  const server = await serve(t, ({ cl_trid }) => answer(1000, cl_trid), { every: true })
  const odd = await openSession(sessionSettings(server))
  await assert.rejects(odd.keepAlive())
  assert.equal(odd.open, false)
})
