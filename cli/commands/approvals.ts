// The commands for requests that wait for the owner. No key and no app can answer a request: only
// the owner can, in the browser, so each is shown with its page.
import type { ApprovalResponse } from '../../sdk/src/types.gen.ts'
import { paginate } from '../api.ts'
import { exitCodes } from '../failure.ts'
import { facts, printable, table } from '../table.ts'
import {
  type Command,
  type Context,
  millisecondsOf,
  minute,
  money,
  oneOf,
  type Shown,
} from './command.ts'
import { inTime } from './until.ts'

export const approvals: Command = {
  usage: ['approvals [--all]', 'approvals ID', 'approvals wait ID [--timeout SECONDS]'],
  summary: 'requests that wait for the owner',
  flags: ['all', 'timeout'],
  run: async (context) => {
    const { registrar, words } = context
    if (words.length === 0) return list(context)
    if (words[0] === 'wait') return wait(context, oneOf(words.slice(1), 'the id of one request'))
    const id = oneOf(words, 'one id, or none for all that are waiting')
    return shown(await registrar.getApproval({ path: { id } }))
  },
}

async function list({ registrar, flags }: Context): Promise<Shown> {
  const all: ApprovalResponse[] = []
  const query = { state: flags.all ? 'all' : 'pending' } as const
  for await (const one of paginate(registrar.listApprovals, { query })) all.push(one)
  const rows = all.map((one) => [
    ...[one.id, one.state, one.action, one.domain, money(one.highest_price)],
    ...[minute(one.expires_at), one.url],
  ])
  const heads = ['ID', 'STATE', 'ACTION', 'NAME', '>UP TO', 'EXPIRES', 'THE OWNER ANSWERS AT']
  const lines = rows.length === 0 ? ['No requests are waiting for the owner'] : table(heads, rows)
  return { body: { approvals: all }, lines }
}

function shown(body: ApprovalResponse): Shown {
  const { error, operation, note } = body
  const isOpen = body.state === 'pending'
  const lines = facts([
    ['Request', `${body.action} ${body.domain}`],
    ['State', body.state],
    ['Up to', money(body.highest_price)],
    ['Asked by', `${body.asked_by.name} at ${minute(body.created_at)}`],
    ...(isOpen ? ([['Expires', minute(body.expires_at)]] as const) : []),
    ...(note === null ? [] : ([['Note of the owner', note]] as const)),
    ...(error === null ? [] : ([['Error', error.detail ?? error.code]] as const)),
    ...(operation === null ? [] : ([['Order', `${operation.id} ${operation.state}`]] as const)),
    ...(isOpen ? ([['The owner answers at', body.url]] as const) : []),
  ])
  return { body, lines }
}

async function wait({ registrar, flags, terminal }: Context, id: string): Promise<Shown> {
  const first = await registrar.getApproval({ path: { id } })
  if (first.state === 'pending') terminal.say(`The owner answers at ${printable(first.url)}`)
  const line = ({ action, domain, state }: ApprovalResponse) =>
    printable(`${action} ${domain}: ${state}`)
  terminal.progress(line(first))
  const waiting = registrar.waitForApproval(id, {
    ...millisecondsOf(flags),
    onProgress: (seen) => terminal.progress(line(seen)),
  })
  const ended = await inTime(waiting, `agent-registrar approvals wait ${id}`)
  const exit = ended.state === 'executed' ? exitCodes.ok : exitCodes.refused
  return { ...shown(ended), exit }
}
