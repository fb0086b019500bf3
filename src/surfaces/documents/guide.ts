// How to buy, renew and move without harm: written once for the MCP server's instructions, its
// resources, /docs and docs/buying.md. Operations are named as their tools are.

/** In this order. */
export const buyingSteps = [
  'check_domain_availability: go on only if "available" is true and "price" is there; null is ' +
    'unknown.',
  'Know the limit of your owner. get_balance: "available" must cover the price; only the owner ' +
    'can add money.',
  'register_domain with dry_run true: all that can be checked is, price and funds too; nothing ' +
    'is done, and not_checked names the rest.',
  'register_domain with max_price (the price you saw) and an idempotency_key of your own.',
  'While status is "pending", wait and read get_domain until operation.state is succeeded or ' +
    'failed. Never buy it again.',
  'If the answer was lost, send the same call with the same idempotency_key, or read get_domain ' +
    'first: nothing is bought twice.',
] as const

/** What a refusal is for. */
export const refusalRule =
  'A refusal names code, detail and next_action: do what next_action says, and ask your owner ' +
  'when it says ask_owner, add_funds or confirm_price.'

/** The units of all amounts. */
export const moneyRule =
  'Money is a decimal string in units of its currency: "12.34" with USD is 12 dollars 34 cents.'

const renewingSteps = [
  'list_domains: "expires_at" is until when a name is paid; next_actions says "renew" when it is ' +
    'time.',
  'renew_domain with dry_run true tells the price.',
  'renew_domain with expected_expiry (the "expiry" that you read), max_price and an ' +
    'idempotency_key: a renewal sent twice is refused, not paid twice.',
  'set_auto_renew does it without you, from the balance, when that suffices.',
]

const movingSteps = [
  'At the registrar that has the name: unlock it, and get its authorization code.',
  'transfer_domain with dry_run true tells the price, which adds a year.',
  'transfer_domain with auth_code, max_price and an idempotency_key. The money is held.',
  'Without nameservers the domain keeps those it has, so its site stays up; name others to ' +
    'change them with the move.',
  'It takes up to five days. get_domain says "transfer_pending", then "active" (paid) or ' +
    '"failed" (given back). cancel_transfer takes it back before that.',
]

/** Markdown; docs/buying.md is this text. */
export function buyingPage(): string {
  return [
    '# To buy safely',
    '',
    'Names in this text are MCP tools; [operations](operations.md) has the REST route of each.',
    'Over REST the idempotency_key travels as the header `Idempotency-Key`.',
    '',
    moneyRule,
    '',
    ...numbered(buyingSteps),
    '',
    '## To renew',
    '',
    ...numbered(renewingSteps),
    '',
    '## To move a name here',
    '',
    ...numbered(movingSteps),
    '',
    '## When it says no',
    '',
    refusalRule,
    '[Errors](errors.md) has every code. get_state_model tells what each status of a name allows.',
    '',
  ].join('\n')
}

function numbered(steps: readonly string[]): string[] {
  return steps.map((step, i) => `${i + 1}. ${step}`)
}
