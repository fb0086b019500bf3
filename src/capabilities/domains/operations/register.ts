// POST /v1/domains: buy one domain from the balance. Order: parse, permit, price, availability,
// hold, send, settle.
import { Reply } from '../../../app.ts'
import { priceBody } from '../../pricing/index.ts'
import * as faults from '../faults.ts'
import { dryRunOfNew } from '../orders/dry-run.ts'
import { madeBefore, unlessMade } from '../orders/duplicate-check.ts'
import { keyOf } from '../orders/idempotency.ts'
import { digestOf, type RegisterOrder } from '../orders/order.ts'
import { choose } from '../orders/order-defaults.ts'
import { orderFaults } from '../orders/order-faults.ts'
import { buy } from '../orders/place-order.ts'
import { agreePrice, refuseOddPeriod, refuseShortBalance } from '../orders/price-agreement.ts'
import { glueRequired } from '../updates/update-faults.ts'
import { domainOperation } from './domain-operation.ts'
import { maxPriceOf, nameOf } from './paid-request.ts'
import { registerInput } from './register-input.ts'

const registerAt = 'POST /v1/domains'

export const registerDomain = domainOperation({
  name: 'register_domain',
  does: 'Buy one domain and pay for it from the balance.',
  more:
    'Check the name first. If the answer says status "pending", the registry has not answered ' +
    'yet: the money is held, the service finishes by itself; read get_domain until ' +
    'operation.state is succeeded or failed, never buy again. Name servers in ' +
    'pending_nameservers are set by themselves, too.',
  at: registerAt,
  scope: 'domains:purchase',
  takes: registerInput,
  in: { idempotency_key: 'header' },
  fails: [
    ...orderFaults('register'),
    faults.domainNotSupported,
    faults.domainAlreadyHeld,
    faults.premiumNotAllowed,
    faults.priceUnavailable,
    faults.periodNotAllowed,
    faults.registrantRequired,
    faults.contactDeleted,
    glueRequired,
  ],
  tools: [
    {
      group: 'registration',
      title: 'Buy a domain',
      examples: [
        { domain: 'my-agent.com', max_price: '15.00', dry_run: true },
        { domain: 'my-agent.com', max_price: '15.00', idempotency_key: 'buy-my-agent-1' },
      ],
      destructive: true,
      idempotent: false,
    },
  ],
  async run(input, call, app) {
    const name = nameOf(app, input)
    const maxPrice = maxPriceOf(input)
    const key = input.dry_run ? null : keyOf(registerAt, input)
    const { idempotency_key: _key, dry_run: _dryRun, ...facts } = input
    const digest = digestOf({ type: 'register', ...facts, domain: name.name })
    const made = () => madeBefore(app, call, { key, domain: name.name, digest, gains: true })
    const earlier = await made()
    if (earlier) return earlier
    refuseOddPeriod(app, name.tld, input.period_years)
    const registrar = app.registries.forTld(name.tld)
    if (!registrar) throw faults.domainNotSupported()
    const { registry } = registrar
    const choice = await choose(app, call, { wishes: input, domain: name.name, registry })
    const agreed = await unlessMade(made, () => agreePrice(app, { name, input, maxPrice }))
    if (agreed instanceof Reply) return agreed
    const { quote, fee } = agreed
    const command: RegisterOrder = { ...choice, period_years: input.period_years, fee }
    if (input.dry_run) {
      await refuseShortBalance(call, quote)
      const planned = { operation: 'register_domain', registry, price: priceBody(quote) } as const
      return dryRunOfNew(name.name, command, planned)
    }
    const { contacts } = command
    const domain = name.name
    return buy(app, call, {
      type: 'register',
      customer_id: call.customer_id,
      domain,
      registrar,
      quote,
      command,
      digest,
      key,
      contacts,
      again: made,
    })
  },
})
