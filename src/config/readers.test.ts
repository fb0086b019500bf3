// Invalid DNS settings are reported in one line, with their names.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readSettings, SettingError } from './config.ts'

function refused(environment: Record<string, string>, words: RegExp): void {
  const fits = (error: unknown) =>
    error instanceof SettingError && words.test(error.message) && !error.message.includes('\n')
  assert.throws(() => readSettings(environment), fits, JSON.stringify(environment))
}

it('takes addresses of name servers by name, in any case', () => {
  const NAMESERVER_ADDRESSES = ' NS1.Example.net. = 192.0.2.1 ,ns2.example.net=192.0.2.2,'
  const { nameserver_addresses } = readSettings({ NAMESERVER_ADDRESSES })
  assert.deepEqual(Object.fromEntries(nameserver_addresses), {
    'ns1.example.net': '192.0.2.1',
    'ns2.example.net': '192.0.2.2',
  })
  assert.equal(readSettings({}).nameserver_addresses.size, 0)
})

it('refuses invalid addresses, and invalid names', () => {
  for (const one of ['ns1.a.net', 'ns1.a.net=', '=192.0.2.1', 'n s=192.0.2.1', 'a.net=1=2'])
    refused({ NAMESERVER_ADDRESSES: one }, /^NAMESERVER_ADDRESSES must be like /)
  refused({ NAMESERVER_ADDRESSES: 'ns1.a.net=010.0.0.1' }, /^NAMESERVER_ADDRESSES /)
  refused({ NAMESERVER_ADDRESSES: 'ns1.a.net=2001:db8::1' }, /^NAMESERVER_ADDRESSES /)
})

it('takes previous keys separated by commas, each as long as a key, and discloses none', () => {
  const [one, two] = ['a', 'b'].map((fill) => Buffer.alloc(32, fill).toString('base64'))
  const read = (text: string) =>
    readSettings({ ENCRYPTION_KEYS_PREVIOUS: text }).encryption_keys_previous
  assert.deepEqual(read(`${one}, ${two},`), [one, two])
  assert.deepEqual(read(''), [])
  const short = Buffer.alloc(31, 'c').toString('base64')
  for (const wrong of [short, `${one}, ${short}`, `${one} ${two}`])
    assert.throws(
      () => read(wrong),
      (error) =>
        error instanceof SettingError &&
        error.message.startsWith('ENCRYPTION_KEYS_PREVIOUS must be keys of 32 bytes') &&
        ![short, one, two].some((key) => error.message.includes(String(key))),
      wrong,
    )
})

it('takes resolvers with and without a port, and nothing else', () => {
  const right = ['192.0.2.1', '192.0.2.1:5353', '2001:db8::1', '[2001:db8::1]:53', '[2001:db8::1]']
  assert.deepEqual(readSettings({ DNS_RESOLVERS: right.join(', ') }).dns_resolvers, right)
  assert.deepEqual(readSettings({}).dns_resolvers, [])
  const wrong = ['dns.example.net', '192.0.2.1:0', '192.0.2.1:65536', '[192.0.2.1', ':53', '1.2.3']
  for (const DNS_RESOLVERS of wrong) refused({ DNS_RESOLVERS }, /^DNS_RESOLVERS must be like /)
})

it('refuses PowerDNS without its URL or its key, and a place that is no address', () => {
  const DNS_ADAPTER = 'powerdns'
  const POWERDNS_URL = 'http://127.0.0.1:8081'
  refused({ DNS_ADAPTER }, /^POWERDNS_URL must be set/)
  refused({ DNS_ADAPTER, POWERDNS_URL }, /^POWERDNS_API_KEY must be set/)
  refused({ DNS_ADAPTER: 'bind' }, /^DNS_ADAPTER must be one of embedded, powerdns/)
  refused({ DNS_HOST: 'localhost' }, /^DNS_HOST must be an IP address/)
  refused({ DNS_PORT: '65536' }, /^DNS_PORT /)
  assert.equal(readSettings({ DNS_ADAPTER, POWERDNS_URL, POWERDNS_API_KEY: 'k' }).dns_port, 8053)
})
