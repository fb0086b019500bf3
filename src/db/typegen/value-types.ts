// Types of identifiers by the names of their columns and parameters, so that the compiler refuses a
// swap in the parameters of a statement, and in every use of its rows.

const byName: Readonly<Record<string, string>> = {
  customer_id: 'CustomerId',
  order_id: 'OrderId',
  operation_id: 'OrderId',
  approval_id: 'ApprovalId',
  checkout_id: 'CheckoutId',
  payment_id: 'PaymentId',
  grant_id: 'GrantId',
  oauth_grant_id: 'GrantId',
  api_key_id: 'ApiKeyId',
  parent_key_id: 'ApiKeyId',
  transfer_id: 'TransferId',
  invoice_id: 'InvoiceId',
  domain: 'DomainName',
}

const byColumn: Readonly<Record<string, string>> = {
  'customers.id': 'CustomerId',
  'orders.id': 'OrderId',
  'approvals.id': 'ApprovalId',
  'checkouts.id': 'CheckoutId',
  'card_checkouts.id': 'CheckoutId',
  'checkout_payments.id': 'PaymentId',
  'payments.id': 'PaymentId',
  'oauth_grants.id': 'GrantId',
  'api_keys.id': 'ApiKeyId',
  'ledger_transfers.id': 'TransferId',
  'invoices.id': 'InvoiceId',
  'domains.name': 'DomainName',
  'zones.name': 'DomainName',
}

/** The types above, for the import of the generated file. */
export const valueTypes: readonly string[] = [
  ...new Set([...Object.values(byName), ...Object.values(byColumn)]),
].sort()

/** The type of a value of the column `table.column`, or of another expression of this name. */
export function typeOfColumn(type: string, name: string, column = ''): string {
  const [, own = ''] = column.split('.')
  return named(type, byColumn[column] ?? byName[own] ?? byName[name])
}

/** The type of a parameter. The name of its statement begins with a table: `orders_by_id`. */
export function typeOfParameter(type: string, name: string, statement: string): string {
  const column = Object.keys(byColumn).find((key) => {
    const [table, own] = key.split('.')
    return own === name && statement.startsWith(`${table}_`)
  })
  return named(type, byName[name] ?? byColumn[column ?? ''])
}

const wholeNumbers = new Set(['ApiKeyId', 'TransferId', 'InvoiceId'])

/** A value keeps its type where it is a list, or of another kind than the identifier. */
function named(type: string, identifier: string | undefined): string {
  if (identifier === undefined) return type
  return type === (wholeNumbers.has(identifier) ? 'bigint' : 'string') ? identifier : type
}
