// A QR code in half blocks, and none where it does not fit.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { linesOf, qrCode } from './qr-code.ts'

it('draws two rows of modules in a line', () => {
  const [dark, light] = [true, false]
  const rows = [
    [dark, dark, light, light],
    [dark, light, dark, light],
    [dark, light, light, dark],
  ]
  assert.deepEqual(linesOf(rows), ['█▀▄ ', '▀  ▀'])
})

it('is left out where the terminal is narrower', async () => {
  const link = 'https://registrar.example/oauth/device?user_code=WDJB-MJHT'
  const lines = await qrCode(link, 80)
  const width = (lines[0] ?? '').replace(/[^█▀▄ ]/gu, '').length
  assert.ok(width > 25 && lines.length === Math.ceil(width / 2), `${width} ${lines.length}`)
  assert.deepEqual(await qrCode(link, width - 1), [])
})
