// For arbitrary values of every type, presentation and octets are inverse to each other.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { nameToWire } from '../name.ts'
import { fileTypeName } from '../types.ts'
import { octets, rdatas } from './rdata.fixture.ts'
import { checkRdata, type How, readRdata, targetsOf, writeGeneric, writeRdata } from './rdata.ts'

const file: How = { names: 'zone_file', origin: 'example.com' }
const api: How = { names: 'api', origin: 'example.com' }

/** Legal values that are refused when a person types them. */
const doubted = new Set([1, 2, 5, 12, 15, 28, 257])

for (const [type, values] of rdatas)
  describe(`values of ${fileTypeName(type)}`, () => {
    it('are the same after text and back, in a file and in the API', () => {
      fc.assert(
        fc.property(values, (rdata) => {
          const text = writeRdata(type, rdata)
          assert.deepEqual(readRdata(type, text, file), { rdata }, text)
          const pasted = readRdata(type, text, api)
          if (!doubted.has(type) || !('problem' in pasted))
            assert.deepEqual(pasted, { rdata }, text)
          if ('rdata' in pasted) assert.equal(writeRdata(type, pasted.rdata), text)
        }),
      )
    })

    it('are the same after the form of RFC 3597 and back', () => {
      fc.assert(
        fc.property(values, (rdata) => {
          for (const how of [file, api])
            assert.deepEqual(readRdata(type, writeGeneric(rdata), how), { rdata })
        }),
      )
    })

    it('are canonical, and point to names', () => {
      fc.assert(
        fc.property(values, (rdata) => {
          assert.deepEqual(checkRdata(type, rdata), { rdata })
          for (const name of targetsOf(type, rdata)) assert.ok(rdata.includes(nameToWire(name)))
        }),
      )
    })

    it('are refused or canonical where octets of them change or are missing', () => {
      const changed = fc
        .tuple(values, fc.nat(), fc.nat({ max: 255 }), fc.boolean())
        .map(([rdata, at, octet, isCut]) => {
          const place = at % Math.max(rdata.length, 1)
          const bytes = Buffer.from(isCut ? rdata.subarray(0, place) : rdata)
          if (place < bytes.length) bytes[place] = octet
          return bytes
        })
      fc.assert(
        fc.property(fc.oneof(changed, octets({ min: 0, max: 60 })), (bytes) => {
          const checked = checkRdata(type, bytes)
          if ('problem' in checked) return
          const { rdata } = checked
          assert.equal(rdata.length, bytes.length)
          assert.deepEqual(checkRdata(type, rdata), { rdata })
          assert.deepEqual(readRdata(type, writeRdata(type, rdata), file), { rdata })
        }),
      )
    })
  })
