// From Openprovider's answers to the outcomes of the port. Its codes are in no swagger file: 3-7xx
// concern domains, 1xx people, and 9xx money (doc.openprovider.eu, Error handling).
import Type from 'typebox'
import { parseJson } from '../../../kit/json.ts'
import { compile } from '../../../kit/schema.ts'
import type { Outcome, Refusal, Unknown } from '../port.ts'
import type { HttpAnswer } from './openprovider-http.ts'

const envelope = compile(
  Type.Object({
    code: Type.Integer(),
    desc: Type.Optional(Type.String()),
    data: Type.Optional(Type.Unknown()),
    maintenance: Type.Optional(Type.Boolean()),
  }),
)

/** The purpose of a request: "already ours" has a different meaning for a transfer. */
export type Purpose = 'order' | 'transfer' | 'other'

/** The token has expired, and the request was not processed. */
export const token_refused = 196

/** Answers that say for certain that nothing was done, and why. */
const refusals: { [reason in Refusal]?: readonly number[] } = {
  exists: [311, 326, 327, 346, 362, 365],
  absent: [312, 313, 320, 353, 363, 500],
  fee_required: [379, 395],
  status: [324, 325, 328, 354, 366, 367, 368, 369, 376, 396, 397, 504, 512, 515],
  pending_transfer: [514],
  bad_auth_code: [317, 318, 352, 358],
  policy: [16, 175, 321, 322, 323, 336, 337, 360, 361, 364, 389, 390, 391, 513],
  unsupported: [319, 329, 338, 348, 349],
  bad_request: [
    307, 315, 316, 330, 331, 332, 333, 334, 335, 345, 347, 351, 355, 359, 370, 371,
  ].concat([372, 373, 374, 375, 377, 380, 381, 382, 383, 384, 385, 386, 387, 388, 501, 1800]),
}
const unknowns: { [cause in Unknown]?: readonly number[] } = {
  authentication: [token_refused, 308, 309, 900, 901, 902, 4002, 4003],
  registry_credit: [310, 920],
}

/** Empty and invalid fields of a customer (1xx), a name server (2xx) or a name (300-306). */
function isBadField(code: number): boolean {
  const ours = [173, 174, 178, 199, 244, 245]
  return ((code >= 100 && code < 299) || (code >= 300 && code <= 306)) && !ours.includes(code)
}

function wordOf<Word extends string>(
  words: { [word in Word]?: readonly number[] },
  code: number,
): Word | undefined {
  for (const word in words) if (words[word]?.includes(code)) return word
  return undefined
}

/** The reason of a definite answer other than 0, or null if it is unknown or their side failed. */
export function meaningOf(code: number, purpose: Purpose): Outcome<never> | null {
  const cause = wordOf(unknowns, code)
  if (cause) return { kind: 'unknown', cause, message: '' }
  const found = wordOf(refusals, code) ?? (isBadField(code) ? 'bad_request' : undefined)
  if (!found) return null
  const reason = found === 'exists' && purpose === 'transfer' ? 'status' : found
  return { kind: 'refused', reason, code, message: '', sv_trid: null }
}

export type ReadAnswer = { data: unknown } | { outcome: Outcome<never>; code: number | null }

/**
 * Reads an answer. The code decides instead of the HTTP status, because Openprovider also answers
 * refusals with 500. A body without their envelope comes from an intermediary.
 */
export function readAnswer({ status, body }: HttpAnswer, purpose: Purpose): ReadAnswer {
  const read = parseJson(body)
  const value = 'value' in read ? read.value : undefined
  if (!envelope.check(value)) return { outcome: withoutEnvelope(status), code: null }
  const { code, desc = '', data, maintenance } = value
  if (code === 0 && status >= 200 && status < 300) return { data: data ?? null }
  const message = `${code} ${desc}`.trim()
  const meant = code === 0 || maintenance ? null : meaningOf(code, purpose)
  if (meant?.kind === 'refused' || meant?.kind === 'unknown')
    return { outcome: { ...meant, message }, code }
  const cause = status === 429 ? 'session_limit' : 'server_failed'
  return { outcome: { kind: 'unknown', cause, message: `HTTP ${status}: ${message}` }, code }
}

function withoutEnvelope(status: number): Outcome<never> {
  const message = `HTTP ${status} without an answer of Openprovider's form`
  const cause: Unknown =
    status === 429
      ? 'session_limit'
      : status === 401 || status === 403
        ? 'authentication'
        : status >= 400
          ? 'server_failed'
          : 'silence'
  return { kind: 'unknown', cause, message }
}
