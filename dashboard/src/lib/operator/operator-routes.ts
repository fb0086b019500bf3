// Routes of the operators' pages, below /dashboard.
import { operatorPath } from '../routes.ts'

export const operatorRoutes = {
  home: operatorPath,
  overview: `${operatorPath}/overview`,
  orders: `${operatorPath}/orders`,
  customers: `${operatorPath}/customers`,
  customer: `${operatorPath}/customers/:customer_id`,
  support: `${operatorPath}/support`,
  thread: `${operatorPath}/support/:customer_id`,
  deliveries: `${operatorPath}/webhook-deliveries`,
  database: `${operatorPath}/database`,
  table: `${operatorPath}/database/:schema/:table`,
  payments: `${operatorPath}/payments`,
  holds: `${operatorPath}/holds`,
  mails: `${operatorPath}/mails`,
  tasks: `${operatorPath}/tasks`,
  /** An earlier path of an account's page, which leads to the customer's page. */
  accounts: `${operatorPath}/accounts`,
  keys: `${operatorPath}/keys`,
} as const

export function customerPath(customer_id: string): string {
  return `${operatorRoutes.customers}/${encodeURIComponent(customer_id)}`
}

/** The conversation of support with a customer. */
export function threadPath(customer_id: string): string {
  return `${operatorRoutes.support}/${encodeURIComponent(customer_id)}`
}

export function tablePath(schema: string, table: string): string {
  return `${operatorRoutes.database}/${encodeURIComponent(schema)}/${encodeURIComponent(table)}`
}
