// The guide to safe purchases, renewals and transfers is written once for the MCP server's
// instructions, its resources, /docs and docs/buying.md. Operations have the names of their tools.

/** The steps, in this order. */
export const buyingSteps = [
  'check_domain_availability: continue only if "available" is true and "price" is not null; null ' +
    'means unknown.',
  'Know the limit of your owner. get_balance: "available" must cover the price; only the owner ' +
    'can add money.',
  'A domain needs a registrant. list_contacts: where no contact is the default registrant, ' +
    "create_contact with default_registrant true and the owner's real name and address: ask for " +
    'them, never invent them.',
  'register_domain with dry_run true: checks everything that can be checked, price and funds ' +
    'too, without an order; not_checked names the rest.',
  'register_domain with max_price (the price you saw) and an idempotency_key of your own.',
  'While status is "pending", wait and read get_domain until operation.state is succeeded or ' +
    'failed. Never buy it again.',
  'If the answer was lost, send the same call with the same idempotency_key, or read get_domain ' +
    'first: nothing is bought twice.',
] as const

/** The rule for acting on a refusal. */
export const refusalRule =
  'A refusal names code, detail and next_action: do what next_action says; its "url", if any, is ' +
  'a page for your owner. Ask your owner when it says ask_owner or add_funds. confirm_price ' +
  'compares a price with the limit that your owner gave: continue within the limit, ask your ' +
  'owner above it or where there is none, and never raise the limit yourself.'

/** The units of all amounts. */
export const moneyRule =
  'Money is a decimal string in units of its currency: "12.34" with USD is 12 dollars 34 cents.'

const renewingSteps = [
  'list_domains: a domain is paid until "expires_at"; next_actions says "renew" when it is time.',
  'renew_domain with dry_run true returns the price.',
  'renew_domain with expected_expiry (the "expiry" that you read), max_price and an ' +
    'idempotency_key: a renewal sent twice is refused, not paid twice.',
  'set_auto_renew renews automatically, as long as the balance suffices.',
]

const movingSteps = [
  'At the current registrar: unlock the domain, and get its authorization code.',
  'transfer_domain with dry_run true returns the price, which includes one year.',
  'transfer_domain with auth_code, max_price and an idempotency_key. The money is held.',
  'Without nameservers the domain keeps its current ones, so its site stays up; name others to ' +
    'change them with the transfer.',
  'It takes up to five days. get_domain says "transfer_pending", then "active" (paid) or ' +
    '"failed" (the money is released). cancel_transfer cancels it before that.',
]

/** The guide in Markdown. docs/buying.md is this text. */
export function buyingPage(): string {
  return [
    '# Buying safely',
    '',
    'Names in this text are MCP tools; [operations](operations.md) has the REST route of each.',
    'Over REST the idempotency_key travels as the header `Idempotency-Key`.',
    '',
    moneyRule,
    '',
    ...numbered(buyingSteps),
    '',
    '## Renewing',
    '',
    ...numbered(renewingSteps),
    '',
    '## Transferring a domain here',
    '',
    ...numbered(movingSteps),
    '',
    '## When a request is refused',
    '',
    refusalRule,
    '[Errors](errors.md) has every code. get_state_model shows what a status of a domain allows.',
    '',
  ].join('\n')
}

function numbered(steps: readonly string[]): string[] {
  return steps.map((step, i) => `${i + 1}. ${step}`)
}
