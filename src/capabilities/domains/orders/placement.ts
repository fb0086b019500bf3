// The facts of a purchase as it is placed, except those of its registry and of its first attempt.
import type { Call } from '../../../app.ts'
import { newId } from '../../../kit/random.ts'
import { activeSpan } from '../../../kit/telemetry.ts'
import { limitedBy } from '../../limits/index.ts'
import type { Agreement, PurchaseContext, PurchaseRequest } from './handlers/order-handler.ts'

export function placementOf<R extends PurchaseRequest, V>(
  { app, call, handler, honoured, request }: PurchaseContext<R, V>,
  { quote, command, contacts, holding, sealed, from_reserve = false }: Agreement,
) {
  const { customer_id, domain, digest, key } = request
  const buyer = request.limited_by ?? limitedBy(call.caller)
  return {
    id: newId('ord', app.clock.now().getTime()),
    type: handler.type,
    customer_id,
    domain,
    currency: quote.currency,
    amount: String(quote.amount),
    digest,
    command,
    api_key_id: buyer.api_key_id === null ? null : String(buyer.api_key_id),
    oauth_grant_id: buyer.oauth_grant_id,
    ...shownBy(call),
    quote_id: honoured?.id ?? null,
    from_reserve,
    description: handler.title({ domain, command }),
    idempotency_key: key?.key ?? null,
    idempotency_digest: key?.digest ?? null,
    contacts: contacts ?? {},
    fence: holding?.expiry.toISOString() ?? null,
    sealed: sealed ?? null,
    traceparent: activeSpan()?.traceparent ?? null,
  }
}

/** The session, the key and the address by which the caller was admitted. */
function shownBy({ caller, address }: Call) {
  const hash = caller.kind === 'api_key' ? caller.key_hash : undefined
  return {
    session_id: caller.kind === 'customer' ? String(caller.session_id) : null,
    key_hash: hash?.toString('hex') ?? null,
    address: address === '' ? null : address,
  }
}
