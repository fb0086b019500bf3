// Transfers a domain here from another registrar: POST /v1/domains/transfer. The price
// is held now, captured when the registry reports the transfer as done, and released if it is
// refused.

import Type from 'typebox'
import { type App, Reply } from '../../../app.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import type { DomainName } from '../../../kit/random.ts'
import { stringOf, withDefault } from '../../../kit/schema.ts'
import { dnsRecordNotAllowed } from '../../limits/index.ts'
import {
  type OrderedRecords,
  orderedRecordsShape,
  readOrderedRecords,
  requireRecordsScope,
  shownOrderedRecords,
} from '../dns/ordered-records/ordered-records.ts'
import { dnsZoneFull } from '../dns/zone-faults.ts'
import { ownNameservers } from '../dns/zones.ts'
import * as faults from '../faults.ts'
import { nameOf, nameserverFields } from '../names.ts'
import { maxPriceOf } from '../orders/agreement.ts'
import { transferHandler } from '../orders/handlers/transfer-order.ts'
import { digestOf, keyOf } from '../orders/idempotency.ts'
import { orderFaults } from '../orders/order-faults.ts'
import { type PurchaseAnswer, purchase } from '../orders/purchase.ts'
import { domainStatus } from '../schemas.ts'
import { setsField } from './dns/record-fields.ts'
import { domainOperation } from './domain-operation.ts'
import { paidFields } from './paid-request.ts'
import { glueWords, registerInput } from './register-input.ts'

const transferAt = 'POST /v1/domains/transfer'
const { allow_premium, contacts, contact } = registerInput.properties

export const transferDomain = domainOperation({
  name: 'transfer_domain',
  does: 'Transfer a domain here from another registrar; the added year is paid from the balance.',
  more:
    'The other registrar gives the authorization code and must have unlocked the domain. It ' +
    'takes up to five days: the money is held, the status is "transfer_pending", and the service ' +
    'finishes automatically; read get_domain. Without "nameservers" the domain keeps its own, so ' +
    'that its site stays up; ours are set only if they are named.',
  at: transferAt,
  scope: 'domains:purchase',
  takes: Type.Object(
    {
      domain: stringOf<DomainName>({
        minLength: 1,
        maxLength: 1024,
        description: 'The name to transfer, such as "my-agent.com".',
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
        description: 'The name servers, by default its present ones.',
      }),
      glue: Type.Optional({ ...nameserverFields.glue, description: glueWords }),
      contacts,
      contact,
      allow_premium,
      records: Type.Optional({
        ...setsField,
        description:
          'The DNS records of its zone here, as change_dns_records takes them in "sets". They ' +
          'are in the zone before the name servers change. Needs dns:write, too.',
      }),
      ...paidFields,
    },
    { title: 'DomainTransferRequest' },
  ),
  gives: Type.Object(
    { ...domainStatus.properties, records: Type.Optional(orderedRecordsShape) },
    { title: 'TransferredDomainResponse' },
  ),
  max_body_bytes: 1_048_576,
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
    faults.glueRequired,
    dnsRecordNotAllowed,
    dnsZoneFull,
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
    if (input.records) requireRecordsScope(call.caller)
    const ordered_records =
      input.records && readOrderedRecords(call.caller, name.name, input.records)
    const max_price = maxPriceOf(input)
    const { idempotency_key: _key, dry_run, max_price: _max, ...facts } = input
    const [mark = '', ...previous] = app.encryption.hmacs(input.auth_code)
    const digestsWith = (auth_code: string) => ({
      key: dry_run ? null : keyOf(transferAt, { ...input, auth_code }),
      digest: digestOf({ type: 'transfer', ...facts, auth_code, domain: name.name }),
    })
    const answer = await purchase({
      app,
      call,
      handler: transferHandler,
      request: {
        ...facts,
        input,
        customer_id: call.customer_id,
        domain: name.name,
        name,
        max_price,
        dry_run,
        ...digestsWith(mark),
        earlier: previous.map(digestsWith),
        ordered_records,
      },
    })
    return ordered_records ? withRecords(app, answer, { ordered_records, input }) : answer
  },
})

type Brought = { ordered_records: OrderedRecords; input: { nameservers?: string[] | undefined } }

function withRecords(app: App, answer: PurchaseAnswer, { ordered_records, input }: Brought) {
  const own = ownNameservers(app)
  const areOurs = (hosts: readonly string[]) =>
    hosts.length > 0 && hosts.every((host) => own.includes(host.toLowerCase()))
  const status = answer instanceof Reply ? answer.body : answer
  const hosted = status.status === 'active' && areOurs(status.nameservers)
  const will_be_served = hosted || areOurs(input.nameservers ?? [])
  const records = shownOrderedRecords(ordered_records, { hosted, will_be_served })
  const body = { ...status, records }
  return answer instanceof Reply ? new Reply(body, answer.headers) : body
}

/** A code without characters that XML cannot represent, which no registry issues. */
function refuseUnprintable(code: string): void {
  if (/^[\x20-\x7e]+$/.test(code) && code.trim() === code) return
  const msg = 'Input should be printable ASCII without spaces at its ends'
  throw new InvalidInput([{ path: ['auth_code'], msg, type: 'string_pattern_mismatch' }])
}
