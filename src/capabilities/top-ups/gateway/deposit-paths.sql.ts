// SQL of deposit addresses: the path of each checkout below the operator's extended public key.
import { statement } from '../../../db/statement.ts'

export const depositPathOf = statement(
  'deposit_paths_of_checkout',
  'select branch, address_index from deposit_path_of(:checkout_id)',
  { not_null: ['branch', 'address_index'], writes: true },
)

export const allDepositPaths = statement(
  'deposit_paths_all',
  'select branch, address_index from deposit_paths order by branch, address_index',
)
