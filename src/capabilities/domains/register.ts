// POST /v1/domains: buy one domain from the balance. Order: parse, permit, price, availability,
// hold, send, settle.
import { type App, type Call, operation, owner, Reply } from '../../app.ts'
import { InvalidInput } from '../../kit/fault.ts'
import { newId } from '../../kit/id.ts'
import { parseAmount } from '../../kit/money.ts'
import { priceBody, type Quote } from '../pricing/index.ts'
import { choose } from './choose.ts'
import * as faults from './faults.ts'
import { refuseWhatIsHeld } from './held.ts'
import { earlierAnswer, type Key, keepAnswer, keyOf } from './idempotency.ts'
import { type DomainName, parseDomainName } from './name.ts'
import { digestOf, type RegisterOrder } from './order.ts'
import { type Draft, purchase, titleOf } from './purchase.ts'
import { answerOfRound, dryRunStatus, firstAnswer, type KeptAnswer, readBack } from './purchased.ts'
import { agreePrice, refuseShortBalance, short } from './quoted.ts'
import { type RegisterInput, registerInput } from './register-input.ts'
import { type DomainStatus, domainStatus } from './shapes.ts'

const registerAt = 'POST /v1/domains'

export const registerDomain = operation({
  name: 'register_domain',
  does: 'Buy one domain and pay for it from the balance.',
  more:
    'Check the name first. If the answer says status "pending", the registry has not answered ' +
    'yet: the money is held, the service finishes by itself; read get_domain until ' +
    'operation.state is succeeded or failed, never buy again. Example: ' +
    '{"domain": "my-agent.com", "max_price": "15.00", "idempotency_key": "buy-my-agent-1"}',
  at: registerAt,
  area: 'Domains',
  who: owner('domains:purchase'),
  takes: registerInput,
  in: { idempotency_key: 'header' },
  gives: domainStatus,
  fails: [
    faults.domainNotSupported,
    faults.domainTaken,
    faults.domainAlreadyHeld,
    faults.premiumNotAllowed,
    faults.priceChanged,
    faults.priceUnavailable,
    faults.periodNotAllowed,
    faults.insufficientFunds,
    faults.registrantRequired,
    faults.orderOpen,
    faults.keyInUse,
    faults.registryRefused,
    faults.registryUnreachable,
  ],
  effect: 'own',
  target: (input) => ({ target_type: 'domain', target: input.domain.slice(0, 253) }),
  tools: [{ title: 'Buy a domain', destructive: true, idempotent: false, open_world: true }],
  async run(input, call, app) {
    const name = nameOf(app, input)
    const maxPrice = maxPriceOf(input)
    const key = input.dry_run ? null : keyOf(registerAt, input)
    const { idempotency_key: _key, dry_run: _dryRun, ...facts } = input
    const digest = digestOf({ type: 'register', ...facts, domain: name.name })
    const made = () => alreadyMade(call, { key, domain: name.name, digest })
    const earlier = await made()
    if (earlier) return earlier
    refuseOddPeriod(app, name, input)
    const choice = await choose(app, call, input)
    // Taken, perhaps by this very request, sent twice: its buyer must not be told to look for
    // another name.
    const agreed = await agreePrice(app, { name, input, maxPrice }).catch(async (refusal) => {
      const meanwhile = await made()
      if (meanwhile) return meanwhile
      throw refusal
    })
    if (agreed instanceof Reply) return agreed
    const { quote, fee } = agreed
    const command: RegisterOrder = { ...choice, period_years: input.period_years, fee }
    if (input.dry_run) {
      await refuseShortBalance(call, quote)
      return dryRunStatus(name, command, priceBody(quote))
    }
    return buy(app, call, { name, quote, command, digest, key })
  },
})

type Request = { key: Key | null; domain: string; digest: string }

/**
 * What this request made before; throws 409 for what stands against it in this customer's own
 * orders and holdings.
 */
async function alreadyMade(
  call: Call,
  { key, domain, digest }: Request,
): Promise<Reply<DomainStatus> | undefined> {
  const earlier = key ? await earlierAnswer(call, key) : undefined
  return earlier ?? refuseWhatIsHeld(call, domain, digest)
}

type Buying = {
  name: DomainName
  quote: Quote
  command: RegisterOrder
  digest: string
  key: Key | null
}

async function buy(
  app: App,
  call: Call,
  buying: Buying,
): Promise<DomainStatus | Reply<DomainStatus>> {
  const { name, quote, key } = buying
  const registrar = app.registries.forTld(name.tld)
  if (!registrar) throw faults.domainNotSupported()
  const draft = draftOf(app, call, buying)
  const price = priceBody(quote)
  let kept: KeptAnswer | null = null
  const purchased = await purchase(app, call, {
    draft,
    registrar,
    answerOf(round, order) {
      kept = answerOfRound(order, round, price)
      return key ? kept : null
    },
  })
  if ('order' in purchased) {
    const { order, round } = purchased
    if (round.end === 'overtaken') return firstAnswer(await readBack(call, order))
    // What is kept for the key and what is answered now are one and the same.
    const answer = kept ?? answerOfRound(order, round, price) ?? (await readBack(call, order))
    // The order of a round that left it open closes in another process: its first answer is this
    // one.
    if (key && round.end === 'left') await keepAnswer(call, key.key, answer)
    return firstAnswer(answer)
  }
  const { placed } = purchased
  if (placed.outcome === 'insufficient_funds') throw short(quote, placed.available)
  // Somebody came between our look and our hold: the same key, the same customer, or another buyer.
  const again = await alreadyMade(call, { key, domain: name.name, digest: draft.digest })
  if (again) return again
  throw faults.domainTaken()
}

function draftOf(app: App, call: Call, { name, quote, command, digest, key }: Buying): Draft {
  return {
    id: newId('ord', app.clock.now().getTime()),
    customer_id: call.customer_id,
    domain: name.name,
    currency: quote.currency,
    amount: String(quote.amount),
    digest,
    command,
    api_key_id: call.caller.kind === 'api_key' ? String(call.caller.key_id) : null,
    description: titleOf({ domain: name.name, command }),
    idempotency_key: key?.key ?? null,
    idempotency_digest: key?.digest ?? null,
    contacts: command.contacts,
  }
}

function nameOf(app: App, { domain }: RegisterInput): DomainName {
  const name = parseDomainName(domain, (tld) => app.registries.forTld(tld) !== undefined)
  if ('problem' in name)
    throw new InvalidInput([{ path: ['domain'], msg: name.problem, type: 'domain_name' }])
  if (!name.sold) throw faults.domainNotSupported()
  return name
}

function maxPriceOf({ max_price }: RegisterInput): bigint | undefined {
  if (max_price === undefined) return undefined
  const amount = parseAmount(max_price)
  if (amount !== undefined) return amount
  const msg = 'Input should be a decimal amount such as "12.00"'
  throw new InvalidInput([{ path: ['max_price'], msg, type: 'decimal_parsing' }])
}

function refuseOddPeriod(app: App, { tld }: DomainName, { period_years }: RegisterInput): void {
  const periods = app.registries.forTld(tld)?.registry.profile.periods ?? { min: 1, max: 10 }
  if (period_years >= periods.min && period_years <= periods.max) return
  throw faults.periodNotAllowed({
    detail: `The registry of .${tld} sells ${periods.min} to ${periods.max} years at once.`,
    facts: { periods },
  })
}
