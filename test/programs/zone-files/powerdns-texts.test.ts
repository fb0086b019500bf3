// PowerDNS takes a value only in its own canonical text: it takes every type as it is written here.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { written } from '../../../src/adapters/dns/powerdns/zone-sets.ts'
import { rdatas, rdatasElsewhere } from '../../../src/dns/rdata/rdata.fixture.ts'
import { writeRdata } from '../../../src/dns/rdata/rdata.ts'
import { fileTypeName, rrType } from '../../../src/dns/types.ts'
import { type PowerDns, skipPowerDns, startPowerDns } from '../../support/powerdns.ts'

const origin = 'example.com'
const values_of_a_type = 40

describe('values at PowerDNS', { skip: skipPowerDns }, () => {
  let server: PowerDns

  function call(method: string, path: string, body: unknown): Promise<Response> {
    return fetch(`${server.url}/api/v1/servers/localhost/zones${path}`, {
      method,
      headers: { 'X-API-Key': server.api_key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  before(async () => {
    server = await startPowerDns()
    const zone = { name: `${origin}.`, kind: 'Native', nameservers: ['ns1.example.net.'] }
    assert.equal((await call('POST', '', zone)).status, 201)
  })

  for (const [type, values] of new Map([...rdatas, ...rdatasElsewhere]))
    if (type !== rrType.soa)
      it(`are taken: ${fileTypeName(type)}`, async () => {
        const some = fc.sample(values.filter(isTaken(type)), {
          numRuns: values_of_a_type,
          seed: type,
        })
        const rrsets = some.map((rdata, at) => {
          const name = `t${type}-${at}.${origin}`
          const set = { type, ttl: 60, rdata: [rdata] }
          return { ...written(name, set), changetype: 'REPLACE' }
        })
        const answer = await call('PATCH', `/${origin}.`, { rrsets })
        assert.equal(answer.status, 204, await answer.text())
      })
})

/**
 * PowerDNS 4.7 takes no IPv4-mapped AAAA, no identifier of alpn with other octets than ASCII, no
 * altitude above 2^31 centimeters and no precision above 2^32.
 */
function isTaken(type: number): (rdata: Buffer) => boolean {
  return (rdata) => {
    if (type === rrType.aaaa) return !writeRdata(type, rdata).includes('.')
    const precisions = [...rdata.subarray(1, 4)].map((one) => (one >> 4) * 10 ** (one & 15))
    if (type === rrType.loc)
      return rdata.readUInt32BE(12) < 2 ** 31 && precisions.every((one) => one < 2 ** 32)
    return !/alpn="/.test(writeRdata(type, rdata))
  }
}
