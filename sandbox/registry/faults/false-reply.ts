// Replies and texts that faults put in place of the true ones.
import type { Reply } from '../protocol/reply.ts'
import type { Fault, FaultName } from './epp-faults.ts'

/** Changes of a response's text. */
export const SPOILERS = {
  strange_text: (xml: string) => xml.replace(/<msg\b[^>]*>/g, '$&a\fb'),
  unclosed: (xml: string) => xml.replaceAll('</msg>', ''),
} satisfies Partial<Record<FaultName, (xml: string) => string>>

export const FALSE_REPLIES = {
  fail_2400: { code: 2400 },
  credit_gone: { code: 2104 },
  refuse_2306: { code: 2306 },
  session_limit: { code: 2502, closes: true },
} satisfies Partial<Record<FaultName, Reply>>

/** RFC 5730 section 3: the server ends the session with 1500 and with 25xx. */
export function falseReply({ code = 2400, reason }: Fault): Reply {
  const closes = code === 1500 || code >= 2500
  return { code, ...(reason === undefined ? {} : { reason }), ...(closes ? { closes } : {}) }
}
