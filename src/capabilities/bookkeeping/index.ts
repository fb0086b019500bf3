// The bookkeeping module: reports of the ledger for bookkeepers, and corrections by operators.
import { adjustBalance } from './corrections/adjust-balance.ts'
import { refundOrder } from './corrections/refund-order.ts'
import { releaseReserve } from './corrections/release-reserve.ts'
import { checkLedger } from './ledger/check-ledger.job.ts'
import { listTransfers } from './ledger/list-transfers.ts'
import { trialBalance } from './ledger/trial-balance.ts'
import { listPayments } from './payments/list-payments.ts'

export { trialBalanceResponse } from './ledger/trial-balance.ts'

export const jobs = [checkLedger]
export const operations = [
  trialBalance,
  listTransfers,
  listPayments,
  adjustBalance,
  refundOrder,
  releaseReserve,
]
