// Reads an HTTP request before any operation: message framing, the client's address, and the fields
// that the pipeline gets.
import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { EntryPoint } from '../../app.ts'
import { SettingError } from '../../config/config.ts'
import { countedAddress } from '../../kit/net/ip.ts'
import { type BrowserFields, cookiesIn, noCookies } from '../pipeline/cookie-authentication.ts'
import type { IncomingRequest } from '../pipeline/pipeline.ts'
import type { Gathered } from '../pipeline/validate.ts'

/** The request as the pipeline takes it. */
export function incomingRequest(request: FastifyRequest, addressOf: AddressOf): IncomingRequest {
  const { headers } = request
  const path: Record<string, string> = Object(request.params)
  const query: Record<string, string | string[]> = Object(request.query)
  const raw = Buffer.isBuffer(request.body) ? { raw_body: request.body } : null
  const body = raw ? undefined : request.body
  const gathered: Gathered = { path, query, header: textHeaders(headers), body }
  return {
    entry_point: entryPointOf(request),
    request_id: request.id,
    address: clientAddress(request, addressOf),
    agent_identifier: agentOf(headers['x-agent-id']?.toString() ?? headers['user-agent']),
    user_agent: agentOf(headers['user-agent']),
    authorization: headers.authorization,
    customer_tool_key: textHeader(headers, 'x-customer-tool-key'),
    tokenInQuery: headers.authorization === undefined && 'access_token' in query,
    pathCustomer: path.customer_id,
    streams: true,
    closed: () => closedSignal(request.raw.socket),
    ...raw,
    input: request.bodyProblem ? { error: request.bodyProblem } : gathered,
  }
}

const closedSignals = new WeakMap<Socket, AbortSignal>()

/** The signal that is aborted when the connection ends. All requests on the connection share it. */
function closedSignal(socket: Socket): AbortSignal {
  const known = closedSignals.get(socket)
  if (known) return known
  const closing = new AbortController()
  if (socket.destroyed) closing.abort()
  else socket.once('close', () => closing.abort())
  closedSignals.set(socket, closing.signal)
  return closing.signal
}

/** The client's address, as requests are counted by it. */
export function clientAddress({ socket, headers }: FastifyRequest, addressOf: AddressOf): string {
  const address = addressOf({
    socketAddress: socket.remoteAddress ?? '',
    forwardedFor: headers['x-forwarded-for']?.toString(),
  })
  return countedAddress(address)
}

function entryPointOf({ routeOptions, headers }: FastifyRequest): EntryPoint {
  const url = routeOptions.url ?? ''
  if (url.startsWith('/v1/customer-tool/')) return 'internal'
  if (headers['x-session'] === 'operator') return 'dashboard'
  if (url.startsWith('/v1/internal/')) return 'internal'
  return headers['x-session'] === 'cookie' ? 'dashboard' : 'rest'
}

/** The fields of operations that travel in the header (`in` of their definitions). */
function textHeaders(headers: FastifyRequest['headers']): Record<string, string | undefined> {
  const names = [
    'idempotency-key',
    'if-match',
    'last-event-id',
    'x-session',
    'btcpay-sig',
    'stripe-signature',
    'payment-signature',
  ]
  return Object.fromEntries(names.map((name) => [name, textHeader(headers, name)]))
}

function textHeader(headers: FastifyRequest['headers'], name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

/** The fields that authentication by the session cookie reads. */
export function browserFields({ headers, method }: FastifyRequest): BrowserFields {
  return {
    cookies: headers.cookie === undefined ? noCookies : cookiesIn(headers.cookie),
    safe: method === 'GET' || method === 'HEAD',
    x_session: textHeader(headers, 'x-session'),
    sec_fetch_site: textHeader(headers, 'sec-fetch-site'),
    origin: headers.origin,
    content_type: headers['content-type'],
    accept: headers.accept,
  }
}

/**
 * A label that is safe in logs and in the audit, with at most 200 characters of printable ASCII.
 */
export function agentOf(text: string | undefined): string {
  const printable = (text ?? '').replaceAll(/[^\x20-\x7e]/g, '?').trim()
  return printable === '' ? 'unknown' : printable.slice(0, 200)
}

export type AddressOf = (request: {
  socketAddress: string
  forwardedFor: string | undefined
}) => string

type Range = ReturnType<typeof ipaddr.parseCIDR>

/**
 * The client's address, which is the socket's, or the one that a trusted proxy forwards
 * (TRUSTED_PROXIES). The list of addresses and CIDR ranges is read once. Throws SettingError for
 * anything else.
 */
export function addressReader(trustedProxies: readonly string[]): AddressOf {
  const trusted = trustedProxies.map(rangeOf)
  // Without proxies no request needs a look-up.
  if (trusted.length === 0) return ({ socketAddress }) => canonical(socketAddress)
  const isTrusted = (text: string) => {
    if (isIP(text) === 0) return false
    const address = ipaddr.parse(text)
    return trusted.some((range) => range[0].kind() === address.kind() && address.match(range))
  }
  return ({ socketAddress, forwardedFor }) => {
    const chain = (forwardedFor ?? '').split(',')
    let address = canonical(socketAddress)
    // The hops are read from the nearest one outwards. The first that is not a trusted proxy is the
    // client.
    while (isTrusted(address)) {
      const next = forwardedIn(chain.pop() ?? '')
      if (next === undefined) break
      address = next
    }
    return address
  }
}

/** ipaddr.js alone would also read "127.1" and "010.0.0.1", which isIP rejects. */
function rangeOf(text: string): Range {
  const [address = '', bits = '', ...more] = text.split('/')
  const family = isIP(address)
  const longest = family === 4 ? 32 : 128
  const prefix = text.includes('/') ? bits : String(longest)
  const isPrefix = /^(0|[1-9][0-9]{0,2})$/.test(prefix) && Number(prefix) <= longest
  if (family === 0 || !isPrefix || more.length > 0)
    throw new SettingError('TRUSTED_PROXIES', `holds "${text}", no address or CIDR`)
  const range = ipaddr.parse(address)
  const isMapped = range instanceof ipaddr.IPv6 && range.isIPv4MappedAddress()
  return isMapped && Number(prefix) >= 96
    ? [range.toIPv4Address(), Number(prefix) - 96]
    : [range, Number(prefix)]
}

/**
 * The address of one element of X-Forwarded-For. Some proxies add the port, and brackets with or
 * without it. Undefined for "unknown" and the like.
 */
function forwardedIn(element: string): string | undefined {
  const text = element.trim()
  const [, bracketed] = /^\[([^\]]*)\](?::[0-9]{1,5})?$/.exec(text) ?? []
  const [, withPort] = /^([0-9.]+):[0-9]{1,5}$/.exec(text) ?? []
  const address = bracketed ?? withPort ?? text
  return isIP(address) === 0 ? undefined : canonical(address)
}

/** The one form of each address (RFC 5952), with IPv4-mapped IPv6 as IPv4 and without a zone. */
function canonical(address: string): string {
  if (isIP(address) !== 6) return address
  return ipaddr.process(address.split('%')[0] ?? '').toString()
}

// The form uri-host [ ":" port ] of RFC 3986 section 3.2.2 without its list separators. It is empty
// where the target has no authority (RFC 9112 section 3.2).
const authority = /^(\[[0-9a-f:.]+\]|[\w.~%!$&'()*+;=-]*)(:[0-9]*)?$/i

/**
 * Why a request is rejected with 400, or undefined for a well-formed one. It covers message framing
 * and routing fields that Node's parser lets through and RFC 9112 does not, where two recipients of
 * one request could differ about its host or its end. Node itself rejects Content-Length beside
 * Transfer-Encoding, and two Content-Length.
 */
export function framingProblem(request: IncomingMessage): string | undefined {
  const { rawHeaders, headers, httpVersion } = request
  const coding = headers['transfer-encoding']
  // In HTTP/1.0 the field is a sign of faulty framing (RFC 9112 section 6.1).
  if (coding !== undefined && (httpVersion === '1.0' || coding.trim().toLowerCase() !== 'chunked'))
    return 'Transfer-Encoding may be "chunked", once, and in HTTP/1.1.'
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.toLowerCase() === 'host') hosts += 1
  if (hosts > 1) return 'There is more than one Host field.'
  const { host } = headers
  return host === undefined || authority.test(host) ? undefined : 'The Host field names no host.'
}

const lastReplies = new WeakMap<Socket, FastifyReply>()

/** Remembers the last reply that was begun on its connection. */
export function noteReply(reply: FastifyReply): void {
  lastReplies.set(reply.request.raw.socket, reply)
}

/** Whether the body that Node's parser fails on belongs to a request that has its response. */
function hasResponse(socket: Socket): boolean {
  const reply = lastReplies.get(socket)
  if (!reply) return false
  return reply.raw.headersSent && !reply.request.raw.complete
}

/**
 * Answers a request that Node's parser rejects, which never reaches Fastify, with a plain response,
 * and ends the connection.
 */
export function rejectBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  // A second response would be taken for that of the next request.
  if (hasResponse(socket)) {
    socket.destroySoon()
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const line =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request'
  socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
