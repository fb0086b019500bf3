// SQL of the search for customers, run in the role of the inspection.
import { type Row, statement } from '../../../db/statement.ts'

const columns = `c.id, c.email, c.email_verified, c.name, c.company_name, c.status, c.created_at,
  c.updated_at`

// Literal: strpos knows no wildcards. Case is the database's own, of all of Unicode where its
// locale has it. Ids are in lower case and addresses are ASCII, which "C" folds faster: each row
// is read, and most of the time is spent on folding.
const matches = `(:status::text is null or c.status = :status)
      and (:q::text is null or strpos(c.id, lower(:q)) > 0
           or strpos(lower(c.email collate "C"), lower(:q)) > 0
           or strpos(lower(c.name), lower(:q)) > 0
           or strpos(lower(c.company_name), lower(:q)) > 0)`

/** The newest come first, since ids begin with their time. */
export const searchCustomers = statement(
  'customer_tool_search',
  `select ${columns} from customers c where ${matches}
    order by c.id desc limit :limit offset :offset`,
  { nullable: ['status', 'q'] },
)

/** Finds at most one customer, by the index of addresses. */
export const searchByEmail = statement(
  'customer_tool_search_by_email',
  `select ${columns} from customers c
    where lower(c.email collate "C") = lower(:email collate "C") and ${matches}
    order by c.id desc limit :limit offset :offset`,
  { nullable: ['status', 'q'] },
)
export type FoundCustomer = Row<'customer_tool_search'>

export const inspectedCustomer = statement(
  'customer_tool_customer',
  `select ${columns}, c.default_nameservers from customers c where c.id = :id`,
)
