// The commands for addresses of hosts, on the name servers of the service.
import { usage } from '../failure.ts'
import { table } from '../table.ts'
import { type Command, type Context, oneOf, type Shown, wordsOf } from './command.ts'

export const dns: Command = {
  usage: ['dns NAME', 'dns set NAME ADDRESS [--host HOST]'],
  summary: 'the DNS records of a domain, or one set',
  flags: ['host'],
  run: async (context) => {
    const { words, flags } = context
    if (words[0] === 'set') return set(context, words.slice(1))
    if (words[0] === 'delete')
      throw usage('Records cannot be deleted: set the host to another address instead')
    if (flags.host !== undefined) throw usage('--host belongs to: dns set NAME ADDRESS')
    return read(context)
  },
}

async function read({ registrar, words }: Context): Promise<Shown> {
  const domain = oneOf(words, 'one name, or: set NAME ADDRESS')
  const body = await registrar.listDnsRecords({ path: { domain } })
  const rows = body.records.map(({ host, type, value, ttl }) => [host, type, `${ttl}`, value])
  const lines = rows.length === 0 ? ['No records'] : table(['HOST', 'TYPE', '>TTL', 'VALUE'], rows)
  const elsewhere = `${domain} uses other name servers, which do not have these records`
  return { body, lines: body.hosted ? lines : [...lines, elsewhere] }
}

async function set({ registrar, flags }: Context, words: string[]): Promise<Shown> {
  const [domain = '', record_value = ''] = wordsOf(words, 'a name', 'an IPv4 address')
  const { host } = flags
  const body = await registrar.configureDnsRecord({
    path: { domain },
    body: { record_value, ...(host !== undefined && { host }) },
  })
  const full = host === undefined || host === '@' ? domain : `${host}.${domain}`
  return { body, lines: [`${full} has the address ${record_value}`] }
}
