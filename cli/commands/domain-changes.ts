// Changes of a domain that cost nothing: its lock, its name servers, automatic renewal.
import { usage } from '../failure.ts'
import { printable } from '../table.ts'
import { type Command, type Context, confirm, day, oneOf, type Shown, wordsOf } from './command.ts'
import { untilOf } from './record-changes.ts'

export const lock: Command = {
  usage: ['lock NAME'],
  summary: 'lock a domain against transfers',
  run: async ({ registrar, words }) => {
    const domain = oneOf(words, 'one name')
    const body = await registrar.lockDomain({ path: { domain } })
    return { body, lines: [`${domain} is locked against transfers`] }
  },
}

export const unlock: Command = {
  usage: ['unlock NAME [--yes]'],
  summary: 'unlock a domain for a transfer',
  flags: ['yes'],
  run: async (context) => {
    const domain = oneOf(context.words, 'one name')
    await confirm(context, `${domain} can then be transferred with its code.`, 'Unlock?')
    const body = await context.registrar.unlockDomain({ path: { domain } })
    return { body, lines: [`${domain} is unlocked`] }
  },
}

export const nameservers: Command = {
  usage: [
    'nameservers NAME HOST HOST... [--require-served]',
    'nameservers NAME HOST HOST... [--revert-after DURATION]',
  ],
  summary: 'change the name servers of a domain',
  flags: ['yes', 'dry-run', 'require-served', 'revert-after'],
  run: async (context) => {
    const [domain, ...hosts] = context.words
    if (domain === undefined || hosts.length < 2)
      throw usage('Give a name and at least two name servers')
    if (context.flags['dry-run'] === true) return checked(context, domain, hosts)
    const to = hosts.join(', ')
    await confirm(context, `${domain} will have the name servers ${to}.`, 'Change?')
    const path = { domain }
    const { 'revert-after': revert_after } = context.flags
    const require_served = context.flags['require-served'] === true
    const sent = {
      nameservers: hosts,
      ...(require_served && { require_served }),
      ...(revert_after !== undefined && { revert_after }),
    }
    const body = await context.registrar.updateDomain({ path, body: sent })
    if (body.waiting) return waits(body.waiting, body)
    const shown = printable(body.nameservers.join(', '))
    const until = body.change ? [untilOf(body.domain, body.change)] : []
    return { body, lines: [`${domain} has the name servers ${shown}`, ...until.map(printable)] }
  },
}

function waits(
  { nameservers, expires_at }: { nameservers: string[]; expires_at: string },
  body: object,
) {
  const hosts = nameservers.join(', ')
  const until = `They are changed to ${hosts} once these serve all records that were found`
  return { body, lines: [printable(until), `Given up on ${day(expires_at)}`] }
}

/** The comparison of the current name servers with the new ones. */
async function checked({ registrar }: Context, domain: string, nameservers: string[]) {
  const body = await registrar.updateDomain({
    path: { domain },
    body: { nameservers, dry_run: true },
  })
  const { preflight } = body
  const servers = preflight?.nameservers ?? []
  const lines = [
    ...servers.map(({ host, state, detail }) => `${host}: ${detail ?? state}`),
    ...(preflight?.warnings ?? []).map(({ message }) => `Warning: ${message}`),
    ...(preflight?.served === true ? ['The new name servers have every set that was found'] : []),
    'Nothing was changed (--dry-run)',
  ]
  return { body, lines: lines.map(printable) }
}

export const autoRenew: Command = {
  usage: ['auto-renew NAME on|off'],
  summary: 'renew a domain automatically, or not',
  run: async ({ registrar, words }: Context): Promise<Shown> => {
    const [domain = '', choice] = wordsOf(words, 'a name', 'on or off')
    if (choice !== 'on' && choice !== 'off') throw usage('Give on or off')
    const path = { domain }
    const body = await registrar.updateDomain({ path, body: { auto_renew: choice === 'on' } })
    const how = body.auto_renew ? 'is renewed' : 'is not renewed'
    return { body, lines: [`${domain} ${how} automatically`] }
  },
}
