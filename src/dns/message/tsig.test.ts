// Signatures by TSIG: which are verified and refused, the answers to both, and transfers.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nameToWire } from '../name.ts'
import { DnsProblem } from '../problem.ts'
import { type Message, readMessage } from './read-message.ts'
import {
  type SignedRequest,
  signAnswer,
  signRequest,
  type TsigKey,
  TsigStream,
  tsigAlgorithms,
  tsigError,
  tsigLength,
  verifyRequest,
} from './tsig.ts'
import { MessageWriter } from './write-message.ts'

const key: TsigKey = {
  name: 'key.example.com',
  algorithm: 'hmac-sha256',
  secret: Buffer.from('0123456789abcdef0123456789abcdef'),
}
const now_s = 1_800_000_000

const question = Buffer.concat([nameToWire('Example.com'), Buffer.of(0, 6, 0, 1)])
const request = new MessageWriter({ id: 7, flags: 0x2800, question }).finish()
const answer = new MessageWriter({ id: 7, flags: 0xa800, question }).finish()

function read(bytes: Buffer): Message {
  const message = readMessage(bytes)
  assert.ok(!('problem' in message), JSON.stringify(message))
  return message
}

function verify(bytes: Buffer, known: TsigKey | undefined = key, time_s = now_s) {
  return verifyRequest({ bytes, message: read(bytes), key: known, now_s: time_s })
}

function verified(bytes: Buffer, known?: TsigKey, time_s?: number): SignedRequest {
  const result = verify(bytes, known, time_s)
  assert.ok(result && 'error' in result, JSON.stringify(result))
  return result
}

/** The MAC of `request` by python3-dnspython 2.3, which is an independent implementation. */
const foreign = {
  'hmac-sha256': 'af8c7409da58ef31a96871c7e97f6b52f44ced5908a45366418f40f7763460df',
  'hmac-sha512':
    '4bb2912b14826c3495b06e36f1d9ea211737e3bd0d67421789aee68078e7c29f' +
    '01fe11105ac0f0b0282b89d02938ad6ec636a07ed2d66fe6c7a59f39b4aa1446',
}

describe('a signed request', () => {
  for (const algorithm of tsigAlgorithms)
    it(`is verified with ${algorithm}`, () => {
      const known = { ...key, algorithm }
      const { error, key: used } = verified(signRequest(request, known, now_s), known)
      assert.deepEqual([error, used], [0, known])
    })

  for (const algorithm of tsigAlgorithms)
    it(`has the MAC of another implementation with ${algorithm}`, () => {
      const { tsig } = read(signRequest(request, { ...key, algorithm }, now_s))
      assert.equal(tsig?.mac.toString('hex'), foreign[algorithm])
    })

  it('is the message, the record and nothing else', () => {
    const bytes = signRequest(request, key, now_s)
    const { tsig, additional, questions } = read(bytes)
    assert.deepEqual([additional, questions.length], [[], 1])
    assert.deepEqual(
      [tsig?.name, tsig?.time_signed, tsig?.start],
      [key.name, now_s, request.length],
    )
    assert.ok(bytes.length <= request.length + tsigLength(key))
  })

  it('is verified after a forwarder has changed its id', () => {
    const bytes = signRequest(request, key, now_s)
    bytes.writeUInt16BE(4711, 0)
    assert.equal(verified(bytes).error, 0)
  })

  it('is not one without a signature', () => {
    assert.equal(verify(request), null)
  })
})

describe('a request whose signature is wrong', () => {
  it('is refused with BADSIG for every octet that is changed', () => {
    const bytes = signRequest(request, key, now_s)
    for (let at = 2; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8((bytes[at] ?? 0) ^ 1, at)
      const message = readMessage(changed)
      if ('problem' in message || !message.tsig) continue
      const result = verifyRequest({ bytes: changed, message, key, now_s })
      if (result && 'error' in result) assert.notEqual(result.error, 0, `octet ${at}`)
    }
    const other = { ...key, secret: Buffer.from('another') }
    assert.equal(verified(bytes, other).error, tsigError.badsig)
  })

  it('is refused with BADKEY for an unknown key and for another algorithm', () => {
    const bytes = signRequest(request, key, now_s)
    const unknown = verifyRequest({ bytes, message: read(bytes), key: undefined, now_s })
    assert.ok(unknown && 'error' in unknown)
    assert.deepEqual([unknown.error, unknown.key], [17, null])
    assert.equal(verified(bytes, { ...key, algorithm: 'hmac-sha512' }).error, 17)
  })

  it('is refused with BADTIME outside of its fudge, and not before its signature is right', () => {
    const bytes = signRequest(request, key, now_s)
    for (const [off_s, error] of [
      [-301, 18],
      [-300, 0],
      [300, 0],
      [301, 18],
    ] as const)
      assert.equal(verified(bytes, key, now_s + off_s).error, error, `${off_s} s`)
    const other = { ...key, secret: Buffer.from('another') }
    assert.equal(verified(bytes, other, now_s + 1000).error, 16)
  })

  it('is refused with BADTRUNC for a part of its MAC, and is malformed with too little', () => {
    const bytes = signRequest(request, key, now_s)
    const cut = (octets: number) => {
      const size_at = bytes.length - 6 - 32 - 2
      const copy = Buffer.from(bytes)
      copy.writeUInt16BE(octets, size_at)
      copy.writeUInt16BE(bytes.readUInt16BE(rdlengthAt) - 32 + octets, rdlengthAt)
      return Buffer.concat([copy.subarray(0, size_at + 2 + octets), copy.subarray(-6)])
    }
    const rdlengthAt = request.length + nameToWire(key.name).length + 8
    assert.equal(verified(cut(16)).error, 22)
    const result = verify(cut(15))
    assert.deepEqual(result, { problem: 'The TSIG has a MAC of 15 octets.' })
  })
})

describe('an answer', () => {
  it('has the error, and no MAC after BADKEY and BADSIG', () => {
    const bytes = signRequest(request, key, now_s)
    const { tsig } = verified(bytes)
    for (const refused of [
      { key: null, tsig, error: 17 },
      { key, tsig, error: 16 },
    ]) {
      const signed = read(signAnswer(answer, refused, now_s)).tsig
      assert.deepEqual([signed?.error, signed?.mac.length], [refused.error, 0])
    }
  })

  it('has the time of the client and our own after BADTIME', () => {
    const late = verified(signRequest(request, key, now_s), key, now_s + 1000)
    const signed = read(signAnswer(answer, late, now_s + 1000)).tsig
    assert.deepEqual(
      [signed?.error, signed?.mac.length, signed?.time_signed, signed?.other.readUIntBE(0, 6)],
      [18, 32, now_s, now_s + 1000],
    )
    assert.ok(signAnswer(answer, late, now_s).length <= answer.length + tsigLength(key))
  })

  it('differs with the request that it answers', () => {
    const first = verified(signRequest(request, key, now_s))
    const second = verified(signRequest(request, key, now_s + 1))
    const [one, other] = [first, second].map((each) => signAnswer(answer, each, now_s))
    assert.notDeepEqual(one, other)
  })

  it('is not signed as a transfer where the request was refused', () => {
    const late = verified(signRequest(request, key, now_s), key, now_s + 1000)
    assert.throws(() => new TsigStream(late), DnsProblem)
  })
})
