// Operations of which the nodes of the quick tests lack a setting: a permitted call is 503
// `not_configured`. Their answers are tested on a chain: test/programs/x402-top-ups.test.ts.

/** By method and path. */
export const unconfigured: ReadonlySet<string> = new Set([
  'POST /v1/customers/{customer_id}/billing/x402/top-ups',
])
