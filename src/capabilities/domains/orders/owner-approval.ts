// The owner's approval in a purchase: decides which requests need it, fixes their exact content,
// and makes sure that no other order is placed by it (decision 68).
import { type ApprovalRequest, askApproval, requestChanged } from '../../approvals/index.ts'
import {
  allowedNames,
  domainNotAllowed,
  isAllowedTld,
  isVisibleDomain,
  mayAskForName,
  mayAskForTld,
  pageOfApps,
  refuseOverLimits,
} from '../../limits/index.ts'
import type { Agreement, PurchaseContext, PurchaseRequest } from './handlers/order-handler.ts'
import { digestOf } from './idempotency.ts'
import { refuseInsufficientBalance } from './insufficient-funds.ts'
import { contactVersions } from './orders.sql.ts'

/** The request with at most the approved price, if the service makes an approved request. */
export function requestToApprove<R extends PurchaseRequest, V>({
  call: { approval },
  request,
}: PurchaseContext<R, V>): R {
  const { max_price } = request
  const amount = approval?.amount ?? null
  if (amount === null) return request
  return {
    ...request,
    max_price: max_price === undefined || amount < max_price ? amount : max_price,
  }
}

/**
 * Runs before a domain that the limits of the caller hide is read, so that the refusal is the same.
 * The owner is asked only about names that are not held yet: others do not exist for the caller.
 */
export async function refuseHiddenDomain<R extends PurchaseRequest, V>(
  context: PurchaseContext<R, V>,
) {
  const { call, handler, request } = context
  if (isVisibleDomain(call.caller, request.domain)) return undefined
  return handler.acquires && mayAskForName(call.caller, request.domain)
    ? needApproval(context)
    : refuse(context)
}

export async function refuseOtherTld<R extends PurchaseRequest, V>(context: PurchaseContext<R, V>) {
  const { call, request } = context
  if (isAllowedTld(call.caller, request.domain)) return undefined
  return mayAskForTld(call.caller, request.domain) ? needApproval(context) : refuse(context)
}

function refuse({ call: { caller }, request: { domain } }: PurchaseContext): never {
  throw domainNotAllowed({
    ...(caller.kind === 'oauth_client' && { page: pageOfApps }),
    facts: { domain, ...allowedNames(caller) },
  })
}

function needApproval<R extends PurchaseRequest, V>(context: PurchaseContext<R, V>) {
  context.needsApproval = true
  return undefined
}

/** Asks the owner once the price is known. */
export async function answerNeedsApproval<R extends PurchaseRequest, V>(
  context: PurchaseContext<R, V>,
) {
  if (!context.needsApproval || context.call.approval) return undefined
  throw await askOwner(context, 'outside_allowed')
}

/**
 * The fault that names the approval. Throws the fault that prevents the purchase even with it:
 * another limit, or too little money.
 */
export async function askOwner<R extends PurchaseRequest, V>(
  context: PurchaseContext<R, V>,
  reason: ApprovalRequest['reason'],
) {
  const { app, call, handler, request, agreement } = context
  if (!agreement || !request.input) throw new Error('Approval of a request without its price')
  const { amount, currency } = agreement.quote
  await refuseOverLimits(call, { amount, currency }, { now: app.clock.now(), approved: true })
  await refuseInsufficientBalance(call, agreement.quote, { from_reserve: false })
  return askApproval(app, call, {
    action: handler.action,
    domain: request.domain,
    reason,
    request_digest: request.digest,
    digest: await digestOfOrder(context, agreement),
    request: shownOf(agreement),
    input: request.input,
    price: { amount, currency },
  })
}

/** The approval by which the order is placed. Throws requestChanged. */
export async function heldToApproval<R extends PurchaseRequest, V>(
  context: PurchaseContext<R, V>,
  agreement: Agreement,
) {
  const { approval } = context.call
  if (!approval) return { approval_id: null, approval_digest: null }
  const digest = await digestOfOrder(context, agreement)
  if (digest !== approval.digest) throw requestChanged()
  return { approval_id: approval.id, approval_digest: digest }
}

/**
 * The digest of the request with everything that follows from it: default name servers and
 * contacts, the present data of the contacts, and the term that is renewed. It leaves out the
 * price, which is bounded, and the registry's own facts, which may change meanwhile.
 */
async function digestOfOrder<R extends PurchaseRequest, V>(
  { app, handler, request }: PurchaseContext<R, V>,
  { command, contacts = {} }: Agreement,
): Promise<string> {
  const ids = [...new Set(Object.values(contacts))].map(BigInt)
  const versions = await app.db.run(contactVersions, { customer_id: request.customer_id, ids })
  return digestOf({
    action: handler.action,
    request: request.digest,
    ordered: handler.approvedPart(command),
    contacts: versions.map(({ id, version }) => [String(id), String(version)]),
  })
}

function shownOf({ command }: Agreement) {
  const { period_years, nameservers, glue, contacts } = Object(command)
  return { period_years, nameservers, glue, contacts }
}
