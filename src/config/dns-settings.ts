// Settings of the name servers of domains that are delegated to us, and of other name servers that
// are asked.
import {
  hostAndPort,
  ipAddress,
  optional,
  origin,
  places,
  resolvers,
  whole,
  word,
} from './readers.ts'
import { setting } from './setting.ts'

/** These settings are spread into the table of all settings. */
export function dnsSettings() {
  return {
    dns_adapter: setting('DNS_ADAPTER', word(['embedded', 'powerdns']), {
      preset: 'embedded',
      meaning:
        'The server of the zones of domains on our name servers. embedded: each node, from the ' +
        'database. powerdns: a PowerDNS, updated through its HTTP API.',
    }),
    dns_host: setting('DNS_HOST', ipAddress, {
      preset: '127.0.0.1',
      meaning: 'Address on which the name server answers DNS queries (also of a PowerDNS).',
    }),
    dns_port: setting('DNS_PORT', whole(0, 65_535), {
      preset: '8053',
      meaning: 'Its port, UDP and TCP; resolvers use 53. 0 takes a free one.',
    }),
    dns_update_host: setting('DNS_UPDATE_HOST', ipAddress, {
      preset: '127.0.0.1',
      meaning:
        'Address on which each node takes DNS updates and zone transfers with ' +
        'DNS_ADAPTER=powerdns; the embedded name server takes them on its own.',
    }),
    dns_update_port: setting('DNS_UPDATE_PORT', whole(0, 65_535), {
      preset: '8054',
      meaning: 'Its port, UDP and TCP. 0 takes a free one.',
    }),
    dns_update_server: setting('DNS_UPDATE_SERVER', hostAndPort, {
      preset: '',
      meaning:
        'Where programs of customers send DNS updates to, as these see it, e.g. ' +
        'ns1.example.net:53: the answer that gives a key names it. If empty, the address on ' +
        'which this node takes them.',
    }),
    dns_resolvers: setting('DNS_RESOLVERS', resolvers, {
      preset: '',
      meaning:
        'Recursive resolvers, as IP or IP:port with commas, for the delegation of a domain ' +
        "before it is transferred to a reseller's account, and for the addresses of name " +
        'servers of others; those of this machine if empty.',
    }),
    name_server_places: setting('NAME_SERVER_PLACES', places, {
      preset: '',
      meaning:
        'Where name servers of others are asked, for tests: ns1.example.net=127.0.0.1:5300 with ' +
        'commas (sandbox environment only). Elsewhere at port 53 of their public addresses.',
    }),
    powerdns_url: setting('POWERDNS_URL', origin, {
      preset: '',
      meaning: "Root of PowerDNS's HTTP API, e.g. http://127.0.0.1:8081",
    }),
    powerdns_api_key: setting('POWERDNS_API_KEY', optional, {
      preset: '',
      meaning: 'Its api-key.',
    }),
  }
}
