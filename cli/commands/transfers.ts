// Transfers of domains: to this service, with the code of the current registrar, and away from it.
// The code is read from standard input or typed without an echo, because other users can see
// arguments.
import { usage } from '../failure.ts'
import { facts } from '../table.ts'
import { type Command, type Context, confirm, day, minute, oneOf, type Shown } from './command.ts'
import { spend } from './purchases.ts'

type Form = (context: Context, domain: string) => Promise<Shown>

const forms: Record<string, Form> = { status, cancel, approve, reject, code }

export const transfer: Command = {
  usage: [
    'transfer NAME [--auth-code -] [--yes]',
    'transfer status|cancel|approve|reject NAME',
    'transfer code NAME [--new]',
  ],
  summary: 'move a domain here, or answer a transfer away',
  flags: [
    ...(['auth-code', 'max-price', 'currency', 'premium', 'idempotency-key'] as const),
    ...(['wait', 'timeout', 'yes', 'new'] as const),
  ],
  run: async (context) => {
    const [first = '', ...rest] = context.words
    const form = Object.hasOwn(forms, first) ? forms[first] : undefined
    if (form !== undefined) return form(context, oneOf(rest, 'one name'))
    return begin(context, oneOf(context.words, 'one name'))
  },
}

async function begin(context: Context, domain: string): Promise<Shown> {
  const { flags, terminal } = context
  if (flags['auth-code'] !== undefined && flags['auth-code'] !== '-')
    throw usage('Others can see a code on the command line: give it on standard input')
  if (flags['auth-code'] === undefined && !terminal.isInteractive)
    throw usage('Give the code on standard input: transfer NAME --auth-code - < file')
  const auth_code = await terminal.secret('transfer code')
  const purchase = { action: 'transfer', command: 'transfer', domain, period_years: 1 } as const
  return spend(context, { ...purchase, auth_code })
}

async function status({ registrar }: Context, domain: string): Promise<Shown> {
  const body = await registrar.getDomain({ path: { domain } })
  const { operation, transfer: away, status: state } = body
  const isIn = operation?.type === 'transfer'
  return {
    body,
    lines: facts([
      ['Name', body.domain_unicode],
      ['Status', state],
      [
        'Transfer here',
        isIn ? `${operation.state}, since ${minute(operation.created_at)}` : 'none',
      ],
      [
        'Transfer away',
        away === null ? 'none' : `to ${away.requested_by}, acts on ${day(away.acts_at)}`,
      ],
      ['Locked', body.locked ? 'yes' : 'no'],
    ]),
  }
}

async function cancel({ registrar }: Context, domain: string): Promise<Shown> {
  const body = await registrar.cancelTransfer({ path: { domain } })
  return { body, lines: [`The transfer of ${domain} is canceled; the held money is released`] }
}

async function approve(context: Context, domain: string): Promise<Shown> {
  await confirm(context, `${domain} moves to another registrar at once.`, 'Approve?')
  const body = await context.registrar.approveTransfer({ path: { domain } })
  return { body, lines: [`${domain} has moved away`] }
}

async function reject({ registrar }: Context, domain: string): Promise<Shown> {
  const body = await registrar.rejectTransfer({ path: { domain } })
  return { body, lines: [`The transfer of ${domain} is rejected: the domain stays`] }
}

/** The code is printed alone on standard output, for a pipe. */
async function code({ registrar, flags, terminal }: Context, domain: string): Promise<Shown> {
  const path = { domain }
  const body = flags.new
    ? await registrar.regenerateTransferAuthCode({ path })
    : await registrar.getTransferAuthCode({ path })
  terminal.say(`It is valid until ${minute(body.expires_at)}.`)
  if (body.locked) terminal.say(`${domain} is locked: agent-registrar unlock ${domain}`)
  return { body, lines: [body.auth_code] }
}
