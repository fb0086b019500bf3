// POST /v1/domains/transfer: bring a domain here from another registrar. Held now, captured when
// the registry says that it is done, given back when it is refused.
import Type from 'typebox'
import { type App, type Call, Reply } from '../../../app.ts'
import { markOf, seal } from '../../../kit/encryption.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import { withDefault } from '../../../kit/schema.ts'
import { openQuotes, priceBody, type Quote } from '../../pricing/index.ts'
import { checkNow } from '../availability.ts'
import type { DomainName } from '../domain-name.ts'
import * as faults from '../faults.ts'
import { heldByRegistrar } from '../holdings/holdings.sql.ts'
import { dryRunOfNew } from '../orders/dry-run.ts'
import { madeBefore, unlessMade } from '../orders/duplicate-check.ts'
import { keyOf } from '../orders/idempotency.ts'
import { digestOf, type TransferOrder } from '../orders/order.ts'
import { chooseContacts, namedNameservers } from '../orders/order-defaults.ts'
import { orderFaults } from '../orders/order-faults.ts'
import { buy } from '../orders/place-order.ts'
import {
  refuseAbove,
  refuseOddPeriod,
  refusePremium,
  refuseShortBalance,
} from '../orders/price-agreement.ts'
import type { DomainStatus } from '../schemas.ts'
import { nameserverFields } from '../updates/nameservers-input.ts'
import { delegationOf } from '../updates/transfer-delegation.ts'
import { glueRequired } from '../updates/update-faults.ts'
import { domainOperation } from './domain-operation.ts'
import { maxPriceOf, nameOf, paidFields } from './paid-request.ts'
import { glueWords, registerInput } from './register-input.ts'

const transferAt = 'POST /v1/domains/transfer'
const { allow_premium, contacts, contact } = registerInput.properties

export const transferDomain = domainOperation({
  name: 'transfer_domain',
  does: 'Move one domain here from another registrar; its year is paid from the balance.',
  more:
    'The other registrar gives the authorization code and must have unlocked the domain. It ' +
    'takes up to five days: the money is held, status is "transfer_pending", and the service ' +
    'finishes by itself; read get_domain. Without "nameservers" it keeps its own, so that its ' +
    'site stays up; ours are set only when they are named.',
  at: transferAt,
  scope: 'domains:purchase',
  takes: Type.Object({
    domain: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'The name to bring here, such as "my-agent.com".',
    }),
    auth_code: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The authorization code (auth info, transfer key) of the other registrar.',
    }),
    period_years: withDefault(
      Type.Integer({ minimum: 1, maximum: 10, description: 'A transfer adds one year.' }),
      1,
    ),
    nameservers: Type.Optional({
      ...nameserverFields.nameservers,
      description: 'Name servers; its own when left out.',
    }),
    glue: Type.Optional({ ...nameserverFields.glue, description: glueWords }),
    contacts,
    contact,
    allow_premium,
    ...paidFields,
  }),
  in: { idempotency_key: 'header' },
  fails: [
    ...orderFaults('transfer'),
    faults.domainNotSupported,
    faults.domainAlreadyHeld,
    faults.notTransferable,
    faults.premiumNotAllowed,
    faults.priceUnavailable,
    faults.periodNotAllowed,
    faults.registrantRequired,
    faults.contactDeleted,
    faults.nameserversRequired,
    glueRequired,
  ],
  tools: [
    {
      group: 'transfers and locks',
      title: 'Move a domain here',
      examples: [
        {
          domain: 'my-agent.com',
          auth_code: '9x!Jq7#vLw2p',
          max_price: '15.00',
          idempotency_key: 'move-my-agent-1',
        },
      ],
      destructive: true,
      idempotent: false,
    },
  ],
  async run(input, call, app) {
    const name = nameOf(app, input)
    refuseUnprintable(input.auth_code)
    const maxPrice = maxPriceOf(input)
    const told = { ...input, auth_code: markOf(app, input.auth_code) }
    const key = input.dry_run ? null : keyOf(transferAt, told)
    const { idempotency_key: _key, dry_run: _dryRun, max_price: _max, ...facts } = told
    const digest = digestOf({ type: 'transfer', ...facts, domain: name.name })
    const made = () => madeBefore(app, call, { domain: name.name, digest, key, gains: true })
    const earlier = await made()
    if (earlier) return earlier
    if (input.period_years !== 1) throw faults.periodNotAllowed({ facts: { periods: oneYear } })
    const registrar = app.registries.forTld(name.tld)
    if (!registrar) throw faults.domainNotSupported()
    const { registry } = registrar
    const named = namedNameservers(name.name, input, registry.hosts)
    const contacts = await chooseContacts(call, input, registry)
    const agreed = await unlessMade(made, async () => {
      const quote = await agreeTransfer(app, { name, input, maxPrice })
      const delegation = await delegationOf(app, { domain: name.name, registry, named })
      return { quote, delegation }
    })
    if (agreed instanceof Reply) return agreed
    const { quote, delegation } = agreed
    const { period_years } = input
    const command: TransferOrder = { period_years, ...delegation, contacts, fee: quote.fee }
    if (input.dry_run) {
      await refuseShortBalance(call, quote)
      const planned = { operation: 'transfer_domain', registry, price: priceBody(quote) } as const
      return dryRunOfNew(name.name, command, planned)
    }
    const sealed = seal(app, input.auth_code)
    const buying = { name, quote, command, digest, key, sealed, again: made }
    return buyTransfer(app, call, { registrar, ...buying })
  },
})

const oneYear = { min: 1, max: 1 }

/** What XML cannot carry as it is, no registry gives out as a code. */
function refuseUnprintable(code: string): void {
  if (/^[\x20-\x7e]+$/.test(code) && code.trim() === code) return
  const msg = 'Input should be printable ASCII without spaces at its ends'
  throw new InvalidInput([{ path: ['auth_code'], msg, type: 'string_pattern_mismatch' }])
}

type Terms = {
  name: DomainName
  input: { currency: 'USD' | 'EUR'; allow_premium: boolean; period_years: number }
  maxPrice: bigint | undefined
}

/** Asks the registry; throws what stands against moving it at this price. */
async function agreeTransfer(app: App, { name, input, maxPrice }: Terms): Promise<Quote> {
  const { held } = await app.db.one(heldByRegistrar, [name.name])
  if (held) throw faults.heldHere()
  refuseOddPeriod(app, name.tld, input.period_years)
  const checked = await checkNow(app, name, ['transfer', 'renew'])
  if (checked.available) throw faults.notTransferable()
  const quoteOf = await openQuotes(app, input.currency)
  const quote = quoteOf({ action: 'transfer', tld: name.tld, years: 1, checked })
  if (!quote) throw faults.priceUnavailable()
  refusePremium(quote, input)
  refuseAbove(quote, maxPrice)
  return quote
}

type Moving = Pick<
  Parameters<typeof buy>[2],
  'quote' | 'digest' | 'key' | 'again' | 'registrar'
> & {
  name: DomainName
  command: TransferOrder
  sealed: string
}

function buyTransfer(
  app: App,
  call: Call,
  { name, command, sealed, registrar, ...buying }: Moving,
): Promise<DomainStatus | Reply<DomainStatus>> {
  return buy(app, call, {
    type: 'transfer',
    customer_id: call.customer_id,
    domain: name.name,
    registrar,
    command,
    contacts: command.contacts,
    sealed,
    ...buying,
  })
}
