// Commands that spend: a price is shown and confirmed first, and one idempotency key goes with the
// purchase, so that it can be gone on with when its answer is lost.
import { randomUUID } from 'node:crypto'
import type {
  DomainStatusResponse,
  OperationResponse,
  QuoteResponse,
} from '../../sdk/src/types.gen.ts'
import { exitCodes, Failure, usage } from '../failure.ts'
import { printable } from '../table.ts'
import { type Command, type Context, day, type Shown } from './command.ts'

function yearsOf(text = '1'): number {
  if (/^([1-9]|10)$/.test(text)) return Number(text)
  throw usage(`--years is a number from 1 to 10, not ${text}`)
}

async function confirm({ ask, flags }: Context, question: string): Promise<void> {
  if (flags.yes === true) return
  if (ask === null) throw usage(`${question} Give --yes to confirm without a terminal`)
  if (!(await ask(question))) throw new Failure(exitCodes.refused, 'Nothing was bought')
}

async function spend(context: Context, action: 'register' | 'renew'): Promise<Shown> {
  const { api, words, flags, say } = context
  const [domain, ...more] = words
  if (domain === undefined || more.length > 0) throw usage('Give one name')
  const period_years = yearsOf(flags.years)
  const key = flags['idempotency-key'] ?? randomUUID()
  const body: Record<string, unknown> = { period_years }
  if (flags['max-price'] !== undefined) body.max_price = flags['max-price']
  if (flags['idempotency-key'] === undefined) {
    const wanted = { action, domain, period_years }
    const { price } = await api<QuoteResponse>('POST', '/v1/quotes', { body: wanted })
    const cost = `${price.amount} ${price.currency}`
    await confirm(context, `${action} ${domain} for ${period_years} year(s): ${cost}.`)
    body.max_price ??= price.amount
  } else await confirm(context, `Go on with the purchase ${key} of ${domain}.`)

  const again = `agent-registrar ${action === 'register' ? 'buy' : 'renew'} ${domain}`
  const limit = typeof body.max_price === 'string' ? ` --max-price ${body.max_price}` : ''
  const line = `${again} --years ${period_years}${limit} --idempotency-key ${key} --yes`
  const goOn = () => {
    say(`Interrupted. The order may have been placed; go on with:\n${line}`)
    process.exit(exitCodes.interrupted)
  }
  process.once('SIGINT', goOn)
  const path =
    action === 'register' ? '/v1/domains' : `/v1/domains/${encodeURIComponent(domain)}/renew`
  if (action === 'register') body.domain = domain
  try {
    const sold = await api<DomainStatusResponse>('POST', path, { body, key })
    const until = `${sold.domain_unicode} is ${sold.status}, until ${day(sold.expiry)}`
    return { body: sold, lines: [printable(sold.status === 'pending' ? pending(sold) : until)] }
  } catch (error) {
    const lost = error instanceof Failure && error.exit === exitCodes.unavailable
    throw lost ? new Failure(error.exit, error.message, { next: line, body: error.body }) : error
  } finally {
    process.off('SIGINT', goOn)
  }
}

function pending({ operation, domain_unicode }: DomainStatusResponse): string {
  const how = operation === null ? '' : `: agent-registrar wait ${operation.id}`
  return `${domain_unicode} is pending at the registry${how}`
}

export const buy: Command = {
  usage: 'buy NAME [--years N] [--max-price AMOUNT] [--idempotency-key KEY] [--yes]',
  summary: 'register a name, after showing its price',
  run: (context) => spend(context, 'register'),
}

export const renew: Command = {
  usage: 'renew NAME [--years N] [--max-price AMOUNT] [--idempotency-key KEY] [--yes]',
  summary: 'renew a domain, after showing the price',
  run: (context) => spend(context, 'renew'),
}

const MOST_WAITS = 20

export const wait: Command = {
  usage: 'wait OPERATION',
  summary: 'wait until an operation has ended',
  run: async ({ api, words: [id], say }) => {
    if (id === undefined) throw usage('Give the id of an operation')
    for (let left = MOST_WAITS; left > 0; left -= 1) {
      const path = `/v1/operations/${encodeURIComponent(id)}/wait?wait=30`
      const body = await api<OperationResponse>('GET', path)
      const line = printable(`${body.type} of ${body.domain}: ${body.state}`)
      if (body.state === 'succeeded') return { body, lines: [line] }
      if (body.state === 'failed') return { body, lines: [line], exit: exitCodes.refused }
      say(line)
    }
    throw new Failure(exitCodes.unavailable, `${id} has not ended yet`, {
      next: `agent-registrar wait ${id}`,
    })
  },
}
