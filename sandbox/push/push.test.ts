// The simulated push service: it decrypts the example of RFC 8291 section 5, and refuses senders
// that a real one would refuse.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { keysOf } from './browser-keys.ts'
import { startPushService } from './index.ts'
import { tokenProblem } from './sender-token.ts'

const service = await startPushService()
after(() => service.close())

const ecdh = { name: 'ECDH', namedCurve: 'P-256' } as const
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
const base64url = (given: object | string | ArrayBuffer) =>
  Buffer.from(
    given instanceof ArrayBuffer
      ? new Uint8Array(given)
      : Buffer.from(typeof given === 'string' ? given : JSON.stringify(given)),
  ).toString('base64url')

it('decrypts the message of RFC 8291 section 5', async () => {
  const own =
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
  const point = Buffer.from(own, 'base64url')
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256', d: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94' },
    ...{ x: base64url(point.buffer.slice(point.byteOffset + 1, point.byteOffset + 33)) },
    ...{ y: base64url(point.buffer.slice(point.byteOffset + 33, point.byteOffset + 65)) },
  }
  const privateKey = await crypto.subtle.importKey('jwk', jwk, ecdh, false, ['deriveBits'])
  const publicKey = await crypto.subtle.importKey('raw', bytes(own), ecdh, true, [])
  const keys = await keysOf({ privateKey, publicKey }, bytes('BTBZMqHH6r4Tts7J_aSIgg'))
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY' +
    'WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS' +
    'gSxsj_Qulcy4a-fN'
  assert.equal(await keys.decrypt(bytes(body)), 'When I grow up, I want to be a watermelon')
})

const signing = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
  'sign',
  'verify',
])
const public_key = base64url(await crypto.subtle.exportKey('raw', signing.publicKey))
const now_s = Math.floor(Date.now() / 1_000)
const good = { aud: service.origin, exp: now_s + 3_600, sub: 'mailto:push@example.net' }

async function tokenOf(claims: object, header: object = { typ: 'JWT', alg: 'ES256' }) {
  const text = `${base64url(header)}.${base64url(claims)}`
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const octets = new TextEncoder().encode(text)
  const signature = await crypto.subtle.sign(algorithm, signing.privateKey, octets)
  return `vapid t=${text}.${base64url(signature)}, k=${public_key}`
}

describe('a token', () => {
  const check = { origin: service.origin, public_key, now_ms: now_s * 1_000 }

  it('is good for this origin, this key and a day at most', async () => {
    assert.equal(await tokenProblem(await tokenOf(good), check), null)
    const wrong: [object, string][] = [
      [{ ...good, aud: 'https://other.example' }, 'another audience'],
      [{ ...good, exp: now_s - 1 }, 'a wrong expiry'],
      [{ ...good, exp: now_s + 90_000 }, 'a wrong expiry'],
      [{ ...good, exp: undefined }, 'a wrong expiry'],
      [{ ...good, sub: 'nobody' }, 'no subject'],
    ]
    for (const [claims, problem] of wrong)
      assert.equal(await tokenProblem(await tokenOf(claims), check), problem)
  })

  it('is refused without a signature of the key of the subscription', async () => {
    const token = await tokenOf(good)
    const other = { ...check, public_key: `${public_key.slice(0, -1)}B` }
    assert.equal(await tokenProblem(token, other), 'another key')
    const forged = token.replace(base64url(good), base64url({ ...good, exp: now_s + 7_200 }))
    assert.equal(await tokenProblem(forged, check), 'a wrong signature')
    assert.equal(await tokenProblem(undefined, check), 'no token')
    assert.equal(await tokenProblem(`WebPush ${token}`, check), 'no token')
    const header = { typ: 'JWT', alg: 'HS256' }
    assert.equal(await tokenProblem(await tokenOf(good, header), check), 'a wrong header')
  })
})

describe('a message', () => {
  it('is refused without a token, without TTL, above 4096 bytes, and at an unknown endpoint', async () => {
    const browser = await service.subscribe(public_key)
    const usual = {
      authorization: await tokenOf(good),
      ...{ 'content-encoding': 'aes128gcm', ttl: '60' },
    }
    const post = async (headers: Record<string, string>, bytes = 200, path = '') => {
      const url = browser.subscription.endpoint + path
      const body = new Uint8Array(bytes)
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    const { authorization: _, ...bare } = usual
    const { ttl: _ttl, ...timeless } = usual
    assert.deepEqual(
      [await post(bare), await post(timeless), await post(usual, 5_000)],
      [403, 403, 413],
    )
    assert.equal(await post({ ...usual, topic: 'x'.repeat(33) }), 403)
    assert.equal(await post(usual), 400, 'not encrypted')
    assert.equal(await post(usual, 200, 'x'), 404)
    assert.deepEqual(browser.messages, [])
  })
})
