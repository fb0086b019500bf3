// Commands that follow the account: requests that wait for the owner, API keys, events.
import type {
  AccountResponse,
  ApiKeyResponse,
  ApprovalListResponse,
  ApprovalResponse,
  ListEventsResponse,
} from '../../sdk/src/types.gen.ts'
import { exitCodes, usage } from '../failure.ts'
import { table } from '../table.ts'
import { type Command, day } from './command.ts'

function approvalRow({ id, state, action, domain, highest_price, expires_at }: ApprovalResponse) {
  const price = highest_price === null ? '-' : `${highest_price.amount} ${highest_price.currency}`
  return [id, state, action, domain, price, day(expires_at)]
}

export const approvals: Command = {
  usage: 'approvals [ID]',
  summary: 'requests that wait for the owner, or one request',
  run: async ({ api, words: [id, ...more] }) => {
    if (more.length > 0) throw usage('Give one id, or none for all that wait')
    const head = ['ID', 'STATE', 'ACTION', 'NAME', 'UP TO', 'EXPIRES']
    if (id !== undefined) {
      const path = `/v1/approvals/${encodeURIComponent(id)}`
      const body = await api<ApprovalResponse>('GET', path)
      return { body, lines: table(head, [approvalRow(body)]) }
    }
    const all: ApprovalResponse[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page: ApprovalListResponse = await api('GET', `/v1/approvals?state=pending${query}`)
      all.push(...page.approvals)
      cursor = page.next_cursor
    } while (cursor !== null)
    return { body: { approvals: all }, lines: table(head, all.map(approvalRow)) }
  },
}

export const keys: Command = {
  usage: 'keys',
  summary: 'the API keys of the account',
  run: async ({ api }) => {
    const { id } = await api<AccountResponse>('GET', '/v1/account')
    const body = await api<ApiKeyResponse[]>('GET', `/v1/customers/${id}/api-keys`)
    const rows = body.map((key) => [
      `${key.id}`,
      key.key_prefix,
      key.name ?? '-',
      key.revoked_at === null ? 'active' : 'revoked',
      day(key.last_used_at),
    ])
    return { body, lines: table(['ID', 'PREFIX', 'NAME', 'STATE', 'LAST USED'], rows) }
  },
}

export const watch: Command = {
  usage: 'watch [--cursor CURSOR]',
  summary: 'events as they come, until Ctrl-C',
  run: async ({ api, flags, emit, say }) => {
    let cursor = flags.cursor ?? null
    process.once('SIGINT', () => {
      if (cursor !== null) say(`Go on with: agent-registrar watch --cursor ${cursor}`)
      process.exit(exitCodes.interrupted)
    })
    for (;;) {
      const from: string = cursor === null ? 'start=now' : `cursor=${encodeURIComponent(cursor)}`
      const path = `/v1/events?${from}&wait=${cursor === null ? 0 : 25}`
      const page: ListEventsResponse = await api('GET', path)
      for (const event of page.events)
        emit(event, `${event.created_at}  ${event.type}  ${event.subject.id}`)
      cursor = page.next_cursor
    }
  },
}
