// Message framing on raw sockets (RFC 9112 sections 3.2, 6 and 7): a request whose end or whose
// host could be read in two ways is 400 and ends its connection, so that nothing is smuggled past a
// proxy.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { sharedService } from '../../support/service.ts'

const registrar = await sharedService({ worker: false })
const { hostname, port } = new URL(registrar.url)
const host = `Host: ${hostname}:${port}`

/** The longest time that the server leaves open a connection that ends in none of these ways. */
const most_ms = 20_000

/** The response to these octets, until the server closes or `most_ms` are over. */
async function exchange(octets: string) {
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(octets, 'latin1')
  const timer = setTimeout(() => socket.destroy(), most_ms)
  await once(socket, 'close')
  clearTimeout(timer)
  const text = Buffer.concat(chunks).toString('latin1')
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return { statuses, closed: socket.readableEnded, text }
}

const message = (fields: readonly string[], body = '', line = 'POST /v1/domains/check HTTP/1.1') =>
  `${[line, ...fields].join('\r\n')}\r\n\r\n${body}`
const json = 'Content-Type: application/json'
const smuggled = `GET /v1/health HTTP/1.1\r\n${host}\r\n\r\n`
const names = '{"domains":["a.com"]}'
const sized = `Content-Length: ${names.length}`
const chunks = `${names.length.toString(16)}\r\n${names}\r\n0\r\n\r\n`

const refused: Record<string, string> = {
  'no Host': message([json, sized], names),
  'two Host fields': message([host, 'Host: evil.example', json, sized], names),
  'the same Host twice': message([host, host, json, sized], names),
  'a Host in two words': message([`${host} evil.example`, json, sized], names),
  'a list of hosts': message([`${host}, evil.example`, json, sized], names),
  'a Host with user and path': message(['Host: user@evil.example/path', json, sized], names),
  'Transfer-Encoding: gzip': message([host, json, 'Transfer-Encoding: gzip'], chunks),
  'Transfer-Encoding: gzip, chunked': message(
    [host, json, 'Transfer-Encoding: gzip, chunked'],
    chunks,
  ),
  'Transfer-Encoding: chunked, gzip': message(
    [host, json, 'Transfer-Encoding: chunked, gzip'],
    chunks,
  ),
  'Transfer-Encoding: chunked, chunked': message(
    [host, json, 'Transfer-Encoding: chunked, chunked'],
    chunks,
  ),
  'Transfer-Encoding: identity': message([host, json, 'Transfer-Encoding: identity'], chunks),
  'Transfer-Encoding: identity, chunked': message(
    [host, json, 'Transfer-Encoding: identity, chunked'],
    chunks,
  ),
  'Transfer-Encoding: xchunked': message([host, json, 'Transfer-Encoding: xchunked'], chunks),
  'Transfer-Encoding: chunked;q=1': message([host, json, 'Transfer-Encoding: chunked;q=1'], chunks),
  'Transfer-Encoding: "chunked"': message([host, json, 'Transfer-Encoding: "chunked"'], chunks),
  'an empty Transfer-Encoding': message([host, json, 'Transfer-Encoding:'], chunks),
  'Transfer-Encoding twice': message(
    [host, json, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
    chunks,
  ),
  'Transfer-Encoding: gzip and chunked in two fields': message(
    [host, json, 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'],
    chunks,
  ),
  'a space before the colon': message([host, json, 'Transfer-Encoding : chunked'], chunks),
  'chunks over HTTP/1.0': message(
    [host, json, 'Transfer-Encoding: chunked'],
    chunks,
    'POST /v1/domains/check HTTP/1.0',
  ),
  'Content-Length and Transfer-Encoding': message(
    [host, json, sized, 'Transfer-Encoding: chunked'],
    `0\r\n\r\n${smuggled}`,
  ),
  'Transfer-Encoding and Content-Length': message(
    [host, json, 'Transfer-Encoding: chunked', 'Content-Length: 4'],
    `0\r\n\r\n${smuggled}`,
  ),
  'two Content-Length': message([host, json, sized, 'Content-Length: 0'], names + smuggled),
  'the same Content-Length twice': message([host, json, sized, sized], names),
  'a list of Content-Length': message([host, json, `${sized}, ${names.length}`], names),
  'Content-Length: +21': message([host, json, 'Content-Length: +21'], names),
  'Content-Length: -1': message([host, json, 'Content-Length: -1'], names),
  'Content-Length: 0x15': message([host, json, 'Content-Length: 0x15'], names),
  'Content-Length: 21 1': message([host, json, 'Content-Length: 21 1'], names),
  'an empty Content-Length': message([host, json, 'Content-Length:'], names),
  'a folded field': message([host, json, 'X-Agent-Id: a', ' b', sized], names),
  'a field that begins with a space': message([host, ` ${sized}`, json], names),
  'lines that end in LF alone': message([host, json, sized], names).replaceAll('\r\n', '\n'),
  'a NUL in a field': message([host, json, 'X-Agent-Id: a\0b', sized], names),
  'a CR in a field': message([host, json, 'X-Agent-Id: a\rb', sized], names),
  'a name that is no token': message([host, json, 'X-Agent@Id: a', sized], names),
  'a line without a colon': message([host, json, 'nonsense', sized], names),
  'a chunk size that is no number': message(
    [host, json, 'Transfer-Encoding: chunked'],
    `0x15\r\n${names}\r\n0\r\n\r\n`,
  ),
  'a chunk size with a sign': message(
    [host, json, 'Transfer-Encoding: chunked'],
    `+15\r\n${names}\r\n0\r\n\r\n`,
  ),
  'a chunk longer than it says': message(
    [host, json, 'Transfer-Encoding: chunked'],
    `5\r\n${names}\r\n0\r\n\r\n`,
  ),
  'a NUL in the path': message([host], '', 'GET /v1/health\0 HTTP/1.1'),
  'a version that is none': message([host], '', 'GET /v1/health HTTP/1.9'),
}

describe('a request that can be read in two ways is 400, alone, and ends its connection', () => {
  for (const [what, octets] of Object.entries(refused))
    for (const path of ['/v1/domains/check', '/mcp', '/oauth/token', '/no/such/route'])
      test(`${what}, at ${path}`, { concurrency: true }, async () => {
        const sent = octets.replace('/v1/domains/check', path)
        const { statuses, closed, text } = await exchange(sent)
        assert.deepEqual(statuses, [400], text)
        assert.ok(closed, 'the connection stays open')
      })
})

test('a path that does not decode has one answer, too, however its body ends', async () => {
  for (const [what, octets] of Object.entries(refused)) {
    const sent = octets.replace('/v1/domains/check', '/v1/%')
    const { statuses, closed, text } = await exchange(sent)
    assert.ok(statuses.length === 1 && closed, `${what}: ${text}`)
    assert.ok(statuses[0] === 400 || statuses[0] === 404, text)
  }
})

test('data after a complete request on its connection is answered separately', async () => {
  const first = message([host, json, sized], names)
  const { statuses, closed } = await exchange(`${first}nonsense\r\n\r\n`)
  assert.ok(closed)
  assert.ok(statuses.includes(400), `${statuses}`)
})

describe('forms that RFC 9112 allows are read', () => {
  const allowed: Record<string, string> = {
    'a Content-Length': message([host, json, sized, 'Connection: close'], names),
    chunks: message([host, json, 'Transfer-Encoding: chunked', 'Connection: close'], chunks),
    'chunked in capitals': message(
      [host, json, 'Transfer-Encoding: \t Chunked ', 'Connection: close'],
      chunks,
    ),
    'a chunk extension and a trailer': message(
      [host, json, 'Transfer-Encoding: chunked', 'Connection: close'],
      `${names.length.toString(16)};a=b\r\n${names}\r\n0\r\nX-After: 1\r\n\r\n`,
    ),
    'another host name': message(
      ['Host: registrar.example', json, sized, 'Connection: close'],
      names,
    ),
    'an IPv6 host': message(['Host: [::1]:8080', json, sized, 'Connection: close'], names),
  }
  for (const [what, octets] of Object.entries(allowed))
    test(what, async () => {
      const { statuses, text } = await exchange(octets)
      assert.deepEqual(statuses, [200], text)
    })

  test('two requests on one connection get two answers', async () => {
    const first = message([host, json, sized], names)
    const second = message([host, 'Connection: close'], '', 'GET /v1/health HTTP/1.1')
    assert.deepEqual((await exchange(first + second)).statuses, [200, 200])
  })
})
