// The reply to a command: result codes, refusals, and the response frame as text.
import { EPP } from './namespaces.ts'
import { escapeXml } from './xml.ts'

/** A handler's reply; `data` and `extension` are rendered XML with their namespaces. */
export type Reply = {
  code: number
  reason?: string
  queue?: { count: number; id: string; at: string | null; text: string | null }
  data?: string
  extension?: string
  closes?: boolean
  /** Whether the greeting is sent instead of a response. */
  greeting?: boolean
}

/** A command that the registry refuses, by a result code of RFC 5730 section 3. */
export class Refused extends Error {
  readonly code: number
  readonly closes: boolean

  constructor(code: number, reason: string, closes = false) {
    super(reason)
    this.code = code
    this.closes = closes
  }
}

const MESSAGES: Record<number, string> = {
  1000: 'Command completed successfully',
  1001: 'Command completed successfully; action pending',
  1300: 'Command completed successfully; no messages',
  1301: 'Command completed successfully; ack to dequeue',
  1500: 'Command completed successfully; ending session',
  2000: 'Unknown command',
  2001: 'Command syntax error',
  2002: 'Command use error',
  2003: 'Required parameter missing',
  2004: 'Parameter value range error',
  2005: 'Parameter value syntax error',
  2100: 'Unimplemented protocol version',
  2101: 'Unimplemented command',
  2102: 'Unimplemented option',
  2103: 'Unimplemented extension',
  2104: 'Billing failure',
  2105: 'Object is not eligible for renewal',
  2106: 'Object is not eligible for transfer',
  2200: 'Authentication error',
  2201: 'Authorization error',
  2202: 'Invalid authorization information',
  2300: 'Object pending transfer',
  2301: 'Object not pending transfer',
  2302: 'Object exists',
  2303: 'Object does not exist',
  2304: 'Object status prohibits operation',
  2305: 'Object association prohibits operation',
  2306: 'Parameter value policy error',
  2307: 'Unimplemented object service',
  2308: 'Data management policy violation',
  2400: 'Command failed',
  2500: 'Command failed; server closing connection',
  2501: 'Authentication error; server closing connection',
  2502: 'Session limit exceeded; server closing connection',
}

const HEAD = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<epp xmlns="${EPP}">`

/** A whole document around one EPP element. */
export function document(body: string): string {
  return `${HEAD}${body}</epp>`
}

/** The response frame (RFC 5730 section 2.6). */
export function renderReply(reply: Reply, clTrid: string | null, svTrid: string): string {
  const message = MESSAGES[reply.code] ?? 'Command failed'
  const reason =
    reply.reason === undefined
      ? ''
      : `<extValue><value><undef/></value><reason>${escapeXml(reply.reason)}</reason></extValue>`
  const data = reply.data === undefined ? '' : `<resData>${reply.data}</resData>`
  const extension = reply.extension ? `<extension>${reply.extension}</extension>` : ''
  const client = clTrid === null ? '' : `<clTRID>${escapeXml(clTrid)}</clTRID>`
  return document(
    `<response><result code="${reply.code}"><msg>${message}</msg>${reason}</result>` +
      renderQueue(reply.queue) +
      `${data}${extension}<trID>${client}<svTRID>${svTrid}</svTRID></trID></response>`,
  )
}

function renderQueue(queue: Reply['queue']): string {
  if (queue === undefined) return ''
  const at = queue.at === null ? '' : `<qDate>${queue.at}</qDate>`
  const text = queue.text === null ? '' : `<msg>${escapeXml(queue.text)}</msg>`
  return `<msgQ count="${queue.count}" id="${queue.id}">${at}${text}</msgQ>`
}
