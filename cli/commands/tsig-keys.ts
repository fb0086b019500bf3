// The commands for the keys of DNS updates (TSIG), with which other programs change records.
import { usage } from '../failure.ts'
import { table } from '../table.ts'
import { type Context, minute, oneOf, type Shown, wordsOf } from './command.ts'

type Key = {
  id: string
  name: string
  algorithm: string
  hosts: string[] | null
  types: string[] | null
  state: string
  created_at: string
}

/** The secret is shown once, in the form of a key file of nsupdate and knsupdate. */
export async function createTsigKey(context: Context, words: string[]): Promise<Shown> {
  const domain = oneOf(words, 'one name')
  const { host, type } = context.flags
  const body = await context.registrar.createTsigKey({
    path: { domain },
    body: {
      ...(host !== undefined && { hosts: host.split(',') }),
      ...(type !== undefined && { types: type.split(',') }),
      ...algorithmOf(context),
    },
  })
  const { name, algorithm, id } = body.key
  const { host: server, port } = body.server
  const file = `key "${name}" { algorithm ${algorithm}; secret "${body.secret}"; };`
  const used = [
    `It is shown once. Its id is ${id}`,
    '',
    'With that line in the file my.key, records change by: nsupdate -k my.key',
    `  server ${server} ${port}`,
    `  zone ${domain}`,
    `  update add _acme-challenge.${domain} 60 TXT "..."`,
    '  send',
  ]
  return { body, lines: [file, ...used] }
}

function algorithmOf({ flags: { algorithm } }: Context) {
  if (algorithm === undefined) return {}
  if (algorithm === 'hmac-sha256' || algorithm === 'hmac-sha512') return { algorithm } as const
  throw usage(`--algorithm is hmac-sha256 or hmac-sha512, not ${algorithm}`)
}

export async function listTsigKeys({ registrar }: Context, words: string[]): Promise<Shown> {
  const domain = oneOf(words, 'one name')
  const body = await registrar.listTsigKeys({ path: { domain } })
  const heads = ['KEY', 'HOSTS', 'TYPES', 'STATE', 'CREATED']
  const rows = body.keys.map(rowOf)
  return { body, lines: rows.length === 0 ? ['No keys'] : table(heads, rows) }
}

function rowOf({ id, hosts, types, state, created_at }: Key): string[] {
  return [id, hosts?.join(',') ?? 'all', types?.join(',') ?? 'all', state, minute(created_at)]
}

export async function deleteTsigKey({ registrar }: Context, words: string[]): Promise<Shown> {
  const [domain = '', tsig_key_id = ''] = wordsOf(words, 'a name', 'a key (of: dns tsig-keys NAME)')
  await registrar.deleteTsigKey({ path: { domain, tsig_key_id } })
  return { body: {}, lines: [`The key ${tsig_key_id} is refused from now on`] }
}
