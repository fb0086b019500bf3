// Names in the answers of a registry, with a final dot or in upper case: each is read in the form
// in which it is stored and compared.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainInfo } from '../commands/domain-query.ts'
import { transferQuery } from '../commands/domain-transfer.ts'
import { hostCheck } from '../commands/host.ts'
import { pollRequest } from '../commands/poll.ts'
import { fixture } from '../fixtures/fixtures.ts'
import { parseReply, type Reply } from './reply.ts'

/** Each name in the answer is in the form of `written`. */
function withNames(file: string, written: (name: string) => string): Reply {
  const xml = fixture(file).toString()
  const names = /(?<=<(?:\w+:)?(?:name|hostObj|hostName|host)\b[^>]*>)[^<]+\.[^<]+(?=<)/g
  return parseReply(Buffer.from(xml.replace(names, written)))
}

const forms: Record<string, (name: string) => string> = {
  'a final dot': (name) => `${name}.`,
  'upper case': (name) => name.toUpperCase(),
  both: (name) => `${name.toUpperCase()}.`,
}
for (const [what, written] of Object.entries(forms))
  test(`${what} makes no other name of a domain, a host, or a message's subject`, () => {
    const asked = { name: 'example.com', auth_info: null }
    const info = (form: (name: string) => string) => {
      const { nameservers, subordinates, glue, name } = domainInfo.parse(
        withNames('domain-info.response.xml', form),
        asked,
      )
      return { nameservers, subordinates, glue, name }
    }
    assert.deepEqual(
      info(written),
      info((name) => name),
    )
    const moved = (form: (name: string) => string) =>
      transferQuery.parse(withNames('domain-transfer.response.xml', form), asked)
    assert.deepEqual(
      moved(written),
      moved((name) => name),
    )
    for (const file of ['poll-transfer.response.xml', 'poll-pending.response.xml']) {
      const about = (form: (name: string) => string) =>
        pollRequest.parse(withNames(file, form), null)?.about
      assert.deepEqual(
        about(written),
        about((name) => name),
      )
    }
    const names = ['ns1.example.com', 'ns2.example2.com', 'ns3.example3.com']
    const checked = (form: (name: string) => string) =>
      hostCheck.parse(withNames('host-check.response.xml', form), { names })
    assert.deepEqual(
      checked(written),
      checked((name) => name),
    )
    assert.ok(checked(written).size > 0)
  })
