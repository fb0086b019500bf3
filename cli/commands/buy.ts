// Commands that spend: a price is shown and confirmed first, and a purchase whose answer is lost can
// be gone on with: by its idempotency key, or a renewal by the same command.
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

/**
 * The expiry that a person is shown who confirms a renewal. Without one, and without a key, the
 * service refuses the same renewal within 24 hours: a script that runs the command again pays once.
 */
async function shownExpiry({ api, flags }: Context, domain: string): Promise<string | null> {
  if (flags.yes === true) return null
  const path = `/v1/domains/${encodeURIComponent(domain)}`
  return (await api<DomainStatusResponse>('GET', path)).expiry
}

type Purchase = { action: 'register' | 'renew'; domain: string; period_years: number }

/** The body of a purchase whose price was confirmed. */
async function confirmed(context: Context, { action, domain, period_years }: Purchase) {
  const { api, flags } = context
  const max_price = flags['max-price']
  const key = flags['idempotency-key']
  if (key !== undefined) {
    await confirm(context, `Go on with the purchase ${key} of ${domain}.`)
    return { period_years, ...(max_price !== undefined && { max_price }) }
  }
  const wanted = { action, domain, period_years }
  const { price } = await api<QuoteResponse>('POST', '/v1/quotes', { body: wanted })
  const expected_expiry = action === 'renew' ? await shownExpiry(context, domain) : null
  const until = expected_expiry === null ? '' : ` It is paid until ${day(expected_expiry)}.`
  const cost = `${price.amount} ${price.currency}`
  await confirm(context, `${action} ${domain} for ${period_years} year(s): ${cost}.${until}`)
  return {
    period_years,
    max_price: max_price ?? price.amount,
    ...(expected_expiry !== null && { expected_expiry }),
  }
}

async function spend(context: Context, action: 'register' | 'renew'): Promise<Shown> {
  const { api, words, flags, say } = context
  const [domain, ...more] = words
  if (domain === undefined || more.length > 0) throw usage('Give one name')
  const period_years = yearsOf(flags.years)
  const key = flags['idempotency-key'] ?? (action === 'register' ? randomUUID() : undefined)
  const body = await confirmed(context, { action, domain, period_years })

  const again = `agent-registrar ${action === 'register' ? 'buy' : 'renew'} ${domain}`
  const limit = body.max_price === undefined ? '' : ` --max-price ${body.max_price}`
  const same = key === undefined ? '' : ` --idempotency-key ${key}`
  const line = `${again} --years ${period_years}${limit}${same} --yes`
  const goOn = () => {
    say(`Interrupted. The order may have been placed; go on with:\n${line}`)
    process.exit(exitCodes.interrupted)
  }
  process.once('SIGINT', goOn)
  const path =
    action === 'register' ? '/v1/domains' : `/v1/domains/${encodeURIComponent(domain)}/renew`
  try {
    const sold = await api<DomainStatusResponse>('POST', path, {
      body: action === 'register' ? { ...body, domain } : body,
      ...(key !== undefined && { key }),
    })
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
