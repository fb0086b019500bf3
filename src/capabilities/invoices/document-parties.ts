// The parties of an invoice or a receipt as its PDF shows them, and what marks those of a sandbox.

import type { Settings } from '../../config/config.ts'
import type { CustomerId } from '../../kit/random.ts'
import type { Party } from '../../pdf/blocks.ts'
import { countryNameOf } from '../contacts/index.ts'

/** `address` has one entry for each line. */
type SellerFacts = { name: string | null; address: string | null; tax_id: string | null }

/** The seller of the present settings. */
export function sellerOf(
  settings: Pick<
    Settings,
    'invoice_seller_name' | 'invoice_seller_address' | 'invoice_seller_tax_id'
  >,
): SellerFacts {
  return {
    name: settings.invoice_seller_name,
    address: settings.invoice_seller_address?.split(/\s*;\s*/).join('\n') ?? null,
    tax_id: settings.invoice_seller_tax_id,
  }
}

export function sellerParty({ name, address, tax_id }: SellerFacts): Party {
  const unnamed = name === null ? 'The details of the seller are not set.' : null
  return { label: 'Seller', name, lines: [unnamed, address, tax_id && `Tax id: ${tax_id}`] }
}

/** `country` is an ISO 3166-1 alpha-2 code. */
type BuyerFacts = {
  name: string
  company_name: string | null
  email: string
  address: string | null
  country: string | null
}

export function buyerParty(buyer: BuyerFacts, customer_id: CustomerId): Party {
  const { name, company_name, email, address, country } = buyer
  const contact = company_name === null ? null : name
  const of = country === null ? null : countryNameOf(country)
  const lines = [contact, address, of, email, `Customer: ${customer_id}`]
  return { label: 'Buyer', name: company_name ?? name, lines }
}

/** Null in production. */
export function sandboxWarning(environment: 'sandbox' | 'production'): string | null {
  if (environment === 'production') return null
  return 'SAMPLE from a sandbox: no money was paid, and nothing was sold.'
}
