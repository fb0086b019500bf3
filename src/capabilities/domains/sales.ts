// The table of what is sold.
import { wordOf } from '../../kit/schema.ts'
import { type Sale, type SaleType, saleTypes } from './sale.ts'
import { registration } from './sale-register.ts'
import { renewal } from './sale-renew.ts'
import { restoration } from './sale-restore.ts'
import { transfer } from './sale-transfer.ts'

const sales: Record<SaleType, Sale> = {
  register: registration,
  renew: renewal,
  transfer,
  restore: restoration,
}

export function saleOf(type: string): Sale {
  return sales[wordOf(saleTypes, type)]
}
