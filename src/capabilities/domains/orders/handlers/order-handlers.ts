// The table of what is sold.
import { wordOf } from '../../../../kit/schema.ts'
import { type Sale, type SaleType, saleTypes } from './order-handler.ts'
import { registration } from './register-order.ts'
import { renewal } from './renew-order.ts'
import { restoration } from './restore-order.ts'
import { transfer } from './transfer-order.ts'

const sales: Record<SaleType, Sale> = {
  register: registration,
  renew: renewal,
  transfer,
  restore: restoration,
}

export function saleOf(type: string): Sale {
  return sales[wordOf(saleTypes, type)]
}
