// Encryption of push messages: the example of RFC 8291 section 5, and messages that a browser
// decrypts.
import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { newBrowserKeys } from '../../../sandbox/push/browser-keys.ts'
import { arePushKeys, encryptPush } from './encryption.ts'

describe('encryption', () => {
  it('makes the body of RFC 8291 section 5 from its keys and salt', () => {
    const keys = createECDH('prime256v1')
    keys.setPrivateKey('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url')
    const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url')
    const browser = {
      p256dh:
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const text = 'When I grow up, I want to be a watermelon'
    const body = encryptPush(text, browser, { keys, salt, least_bytes: 0 })
    assert.equal(
      body.toString('base64url'),
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY' +
        'WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS' +
        'gSxsj_Qulcy4a-fN',
    )
  })

  it('is decrypted by a browser, whatever the length; short texts have one length', async () => {
    const browser = await newBrowserKeys()
    const lengths = new Set<number>()
    for (const text of ['', 'a', 'żółć €', 'x'.repeat(1_024), 'x'.repeat(3_993)]) {
      const body = encryptPush(text, browser)
      assert.equal(await browser.decrypt(new Uint8Array(body)), text)
      assert.ok(body.length <= 4_096, `${body.length}`)
      if (text.length <= 1_024) lengths.add(body.length)
    }
    assert.equal(lengths.size, 1)
    assert.throws(() => encryptPush('x'.repeat(3_994), browser), RangeError)
  })

  it('differs each time, and is for no other browser', async () => {
    const [one, other] = [await newBrowserKeys(), await newBrowserKeys()]
    const [first, second] = [encryptPush('text', one), encryptPush('text', one)]
    assert.notDeepEqual(first.subarray(0, 16), second.subarray(0, 16))
    assert.notDeepEqual(first.subarray(21, 86), second.subarray(21, 86))
    await assert.rejects(other.decrypt(new Uint8Array(first)))
    const altered = new Uint8Array(first)
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1
    await assert.rejects(one.decrypt(altered))
  })
})

describe('keys of a browser', () => {
  it('are a point on the curve and 16 bytes', async () => {
    const { p256dh, auth } = await newBrowserKeys()
    assert.equal(arePushKeys({ p256dh, auth }), true)
    const compressed = createECDH('prime256v1').generateKeys('base64url', 'compressed')
    const off = Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url')
    for (const wrong of ['', 'x', compressed, off, `${p256dh}AAAA`])
      assert.equal(arePushKeys({ p256dh: wrong, auth }), false, wrong)
    for (const wrong of ['', randomBytes(15).toString('base64url'), `${auth}AA`])
      assert.equal(arePushKeys({ p256dh, auth: wrong }), false, wrong)
  })
})
