// TSIG (RFC 8945): messages signed with a shared secret. Requests are verified and answers are
// signed, one by one or as the stream of a zone transfer.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DnsProblem } from '../problem.ts'
import type { Message } from './read-message.ts'
import { type Tsig, type TsigFields, timersOf, variablesOf, withTsig } from './tsig-record.ts'

export const tsigAlgorithms = ['hmac-sha256', 'hmac-sha512'] as const

/** `name` is in lower case, without a final dot. */
export type TsigKey = {
  name: string
  algorithm: (typeof tsigAlgorithms)[number]
  secret: Buffer
}

/** The errors of a TSIG (RFC 8945 section 3); the message's RCODE is NOTAUTH (9) with each. */
export const tsigError = { badsig: 16, badkey: 17, badtime: 18, badtrunc: 22 } as const

/** The parts of the request that its answer needs. `key` is null if it is unknown (BADKEY). */
export type SignedRequest = { key: TsigKey | null; tsig: Tsig; error: number }

const octets = { 'hmac-sha256': 32, 'hmac-sha512': 64 } as const
const fudge_s = 300

type Check = {
  bytes: Buffer
  message: Message
  /** The key that the message's `tsig.name` names. */
  key: TsigKey | undefined
  now_s: number
}

/**
 * Whether a request is signed by the key, and now. `error` is 0, or the `tsigError` with which it
 * is to be refused. It is null if the request is not signed at all, and a problem if its TSIG is
 * malformed (FORMERR). A request that was signed within the fudge may be a repeated one, which the
 * caller has to know.
 */
export function verifyRequest({
  bytes,
  message: { tsig },
  key,
  now_s,
}: Check): SignedRequest | { problem: string } | null {
  if (!tsig) return null
  if (key?.name !== tsig.name || key.algorithm !== tsig.algorithm)
    return { key: null, tsig, error: tsigError.badkey }
  const whole = octets[key.algorithm]
  const size = tsig.mac.length
  if (size > whole || size < Math.max(10, whole / 2))
    return { problem: `The TSIG has a MAC of ${size} octets.` }
  const mac = hmac(key, [signedOctets(bytes, tsig), variablesOf(tsig.name, tsig)])
  const answer = (error: number): SignedRequest => ({ key, tsig, error })
  if (!timingSafeEqual(mac.subarray(0, size), tsig.mac)) return answer(tsigError.badsig)
  if (Math.abs(now_s - tsig.time_signed) > tsig.fudge) return answer(tsigError.badtime)
  return answer(size < whole ? tsigError.badtrunc : 0)
}

/** The message without its TSIG as it was signed, with its first id (RFC 8945 section 4.3.2). */
function signedOctets(bytes: Buffer, { start, original_id }: Tsig): Buffer {
  const signed = Buffer.from(bytes.subarray(0, start))
  signed.writeUInt16BE(original_id, 0)
  signed.writeUInt16BE(signed.readUInt16BE(10) - 1, 10)
  return signed
}

function hmac({ algorithm, secret }: TsigKey, parts: readonly Buffer[]): Buffer {
  const hash = createHmac(algorithm.slice('hmac-'.length), secret)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function lengthed(mac: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(mac.length)
  return Buffer.concat([length, mac])
}

/** The most octets that signing adds to a message, which a caller has to leave free. */
export function tsigLength({ name, algorithm }: TsigKey): number {
  // Each name with its first length and its root, the numbers, the MAC, and the time of BADTIME.
  return name.length + 2 + 10 + algorithm.length + 2 + 16 + octets[algorithm] + 6
}

/** A request with its signature; `now_s` is in seconds since 1970. */
export function signRequest(message: Buffer, key: TsigKey, now_s: number): Buffer {
  const fields = fieldsOf(message, key, now_s)
  const mac = hmac(key, [message, variablesOf(key.name, fields)])
  return withTsig(message, key.name, { ...fields, mac })
}

function fieldsOf(message: Buffer, { algorithm }: TsigKey, now_s: number): TsigFields {
  return {
    algorithm,
    time_signed: now_s,
    fudge: fudge_s,
    mac: Buffer.of(),
    original_id: message.readUInt16BE(0),
    error: 0,
    other: Buffer.of(),
  }
}

/**
 * The answer to a signed request, with the error of its verification: without a MAC after BADKEY
 * and BADSIG, and with the client's time and our own after BADTIME (RFC 8945 sections 5.2 and 5.3).
 */
export function signAnswer(message: Buffer, request: SignedRequest, now_s: number): Buffer {
  const { key, tsig, error } = request
  const { badkey, badsig, badtime } = tsigError
  const isLate = error === badtime
  const fields: TsigFields = {
    algorithm: tsig.algorithm,
    time_signed: isLate ? tsig.time_signed : now_s,
    fudge: isLate ? tsig.fudge : fudge_s,
    mac: Buffer.of(),
    original_id: message.readUInt16BE(0),
    error,
    other: isLate ? timeOf(now_s) : Buffer.of(),
  }
  if (!key || error === badkey || error === badsig) return withTsig(message, tsig.name, fields)
  const mac = hmac(key, [lengthed(tsig.mac), message, variablesOf(tsig.name, fields)])
  return withTsig(message, tsig.name, { ...fields, mac })
}

function timeOf(now_s: number): Buffer {
  const time = Buffer.alloc(6)
  time.writeUIntBE(now_s, 0, 6)
  return time
}

/**
 * The messages of one zone transfer, each signed: the first one like an answer, and every other one
 * with the MAC of the message before it and only the timers (RFC 8945 section 5.3.1).
 */
export class TsigStream {
  readonly #request: SignedRequest
  readonly #key: TsigKey
  #last: Buffer | null = null

  /** Throws a DnsProblem for a request that was not verified. */
  constructor(request: SignedRequest) {
    if (!request.key || request.error !== 0)
      throw new DnsProblem('A transfer is signed for a verified request only.')
    this.#request = request
    this.#key = request.key
  }

  sign(message: Buffer, now_s: number): Buffer {
    const { name } = this.#request.tsig
    const fields = fieldsOf(message, this.#key, now_s)
    const mac = this.#last
      ? hmac(this.#key, [lengthed(this.#last), message, timersOf(fields)])
      : hmac(this.#key, [lengthed(this.#request.tsig.mac), message, variablesOf(name, fields)])
    this.#last = mac
    return withTsig(message, name, { ...fields, mac })
  }
}
