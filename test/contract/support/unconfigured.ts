// Operations for which the nodes of the quick tests lack a setting, so that a permitted call is 503
// `not_configured`. Their answers are tested on a chain: test/programs/x402-top-ups.test.ts.

/** The operations by method and path. */
export const unconfigured: ReadonlySet<string> = new Set([
  'POST /v1/customers/{customer_id}/billing/x402/top-ups',
])
