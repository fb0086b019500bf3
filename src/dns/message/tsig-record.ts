// The TSIG record (RFC 8945 section 4.2), which contains the signature of the message before it.
import { absolute, expandName, lowerCase, nameToWire, textOf } from '../name.ts'
import { DnsProblem } from '../problem.ts'
import { rrType } from '../types.ts'

/**
 * The times are in seconds since 1970. `name` and `algorithm` are in lower case, without a final
 * dot.
 */
export type TsigFields = {
  algorithm: string
  time_signed: number
  fudge: number
  mac: Buffer
  original_id: number
  error: number
  other: Buffer
}
/** `name` is that of the key, and `start` is where the record begins in its message. */
export type Tsig = TsigFields & { name: string; start: number }

const class_any = 255
const size_of_time = 6

/** Reads the RDATA at a place. Throws a DnsProblem. */
export function readTsig(bytes: Buffer, { at, end }: { at: number; end: number }): TsigFields {
  const { wire, end: next } = expandName(bytes, { at, end, pointers: false })
  const rest = bytes.subarray(next, end)
  const mac_size = rest.length >= 10 ? rest.readUInt16BE(8) : Number.NaN
  const after = rest.subarray(10 + mac_size)
  if (!(after.length >= 6) || after.length !== 6 + after.readUInt16BE(4))
    throw new DnsProblem('Its TSIG is malformed.')
  return {
    algorithm: textOf(lowerCase(wire)),
    time_signed: rest.readUIntBE(0, size_of_time),
    fudge: rest.readUInt16BE(6),
    mac: rest.subarray(10, 10 + mac_size),
    original_id: after.readUInt16BE(0),
    error: after.readUInt16BE(2),
    other: after.subarray(6),
  }
}

/** The time signed and the fudge, which are the timers of RFC 8945 section 4.3.2. */
export function timersOf({ time_signed, fudge }: TsigFields): Buffer {
  const timers = Buffer.alloc(size_of_time + 2)
  timers.writeUIntBE(time_signed, 0, size_of_time)
  timers.writeUInt16BE(fudge, size_of_time)
  return timers
}

/** The variables of RFC 8945 section 4.3.3, which are signed with a message. */
export function variablesOf(name: string, fields: TsigFields): Buffer {
  return Buffer.concat([
    nameToWire(absolute(name)),
    numbers(class_any, 0, 0),
    nameToWire(absolute(fields.algorithm)),
    timersOf(fields),
    numbers(fields.error, fields.other.length),
    fields.other,
  ])
}

/** The message with the record at its end. */
export function withTsig(message: Buffer, name: string, fields: TsigFields): Buffer {
  const rdata = Buffer.concat([
    nameToWire(absolute(fields.algorithm)),
    timersOf(fields),
    numbers(fields.mac.length),
    fields.mac,
    numbers(fields.original_id, fields.error, fields.other.length),
    fields.other,
  ])
  const head = numbers(rrType.tsig, class_any, 0, 0, rdata.length)
  const signed = Buffer.concat([message, nameToWire(absolute(name)), head, rdata])
  signed.writeUInt16BE(message.readUInt16BE(10) + 1, 10)
  return signed
}

/** Numbers of two octets; two zeros make a TTL of 0. */
function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, 2 * at)
  return bytes
}
