// The types that contain a digest, whose length depends on its kind: DS (RFC 4034, 4509, 6605),
// SSHFP (RFC 4255, 6594) and TLSA (RFC 6698).
import { DnsProblem } from '../problem.ts'
import type { Codec } from './codec.ts'
import { hexToEnd, unsigned } from './fields.ts'

type Lengths = { [kind: number]: number }

function checkLength(kind: number | undefined, digest: Buffer, lengths: Lengths): void {
  const length = kind === undefined ? undefined : lengths[kind]
  if (length !== undefined && digest.length !== length)
    throw new DnsProblem(
      `Its digest has ${digest.length} octets, and one of type ${kind} has ${length} ` +
        `(${2 * length} hexadecimal digits).`,
    )
}

const sha256 = `${'0123456789abcdef'.repeat(4)}`

export const ds: Codec = {
  fields: [
    unsigned('key tag', 2),
    unsigned('algorithm', 1),
    unsigned('digest type', 1),
    hexToEnd('digest'),
  ],
  example: `12345 13 2 ${sha256}`,
  // These are SHA-1, SHA-256, GOST R 34.11-94, SHA-384, GOST R 34.11-2012 and SM3.
  check: (rdata) =>
    checkLength(rdata[3], rdata.subarray(4), { 1: 20, 2: 32, 3: 32, 4: 48, 5: 32, 6: 32 }),
}

export const sshfp: Codec = {
  fields: [unsigned('algorithm', 1), unsigned('fingerprint type', 1), hexToEnd('fingerprint')],
  example: `4 2 ${sha256}`,
  check: (rdata) => checkLength(rdata[1], rdata.subarray(2), { 1: 20, 2: 32 }),
}

export const tlsa: Codec = {
  fields: [
    unsigned('usage', 1),
    unsigned('selector', 1),
    unsigned('matching type', 1),
    hexToEnd('certificate data'),
  ],
  example: `3 1 1 ${sha256}`,
  check: (rdata) => checkLength(rdata[2], rdata.subarray(3), { 1: 32, 2: 64 }),
}
