// SQL of top-ups by x402.
import { statement } from '../../../db/statement.ts'

const offer = `c.id as checkout_id, c.customer_id, c.amount, c.currency, c.asset, c.network,
  c.reference, c.pay_amount, c.expires_at, o.chain_id, o.token, o.domain_name, o.domain_version`
const offered = 'x402_offers o join checkouts c on c.id = o.checkout_id'
const options = { not_null: ['asset', 'network', 'reference', 'pay_amount'] }

export const insertOffer = statement(
  'x402_offers_insert',
  `insert into x402_offers (checkout_id, chain_id, token, domain_name, domain_version)
   values (:checkout_id, :chain_id, :token, :domain_name, :domain_version)
   on conflict (checkout_id) do nothing`,
)

export const offerOfCheckout = statement(
  'x402_offers_of_checkout',
  `select ${offer} from ${offered} where o.checkout_id = :checkout_id`,
  options,
)

/** An offer without a payment in progress that stays open long enough. */
export const openOffer = statement(
  'x402_offers_open',
  `select ${offer} from ${offered}
    where c.customer_id = :customer_id and c.status in ('created', 'awaiting_payment', 'confirming')
      and c.status = 'awaiting_payment' and c.expires_at > :open_until
      and (c.amount, c.currency, c.asset, c.network)
        = (:amount::bigint, :currency::text, :asset::text, :network::text)
      and o.token = :token
      and not exists (
        select from x402_authorizations a where a.checkout_id = c.id
           and a.state in ('stored', 'submitted', 'settled'))
    order by c.expires_at desc limit 1`,
  options,
)

/** The offer by the address that is paid to. */
export const offerOfReference = statement(
  'x402_offers_of_reference',
  `select ${offer} from ${offered}
    where c.gateway = :gateway and c.reference = :reference and c.customer_id = :customer_id`,
  options,
)

/** Returns no row for a known nonce or a checkout that is being paid, or above the limits. */
export const insertAuthorization = statement(
  'x402_authorizations_insert',
  `insert into x402_authorizations (id, checkout_id, customer_id, chain_id, token, payer, nonce,
                                    valid_after, valid_before, sealed_signature)
   select :id, :checkout_id, :customer_id, :chain_id, :token, :payer, :nonce, :valid_after,
          :valid_before, :sealed_signature
    where (select count(*) from (
             select from x402_authorizations a
              where a.customer_id = :customer_id and a.state in ('stored', 'submitted')
                and a.transaction_id is null
              limit :most::int) as unsettled) < :most::int
      and (select count(*) from (
             select from x402_authorizations a
              where a.customer_id = :customer_id and a.reason = 'reverted'
                and a.updated_at > clock_timestamp() - interval '1 day'
              limit :most::int) as failed) < :most::int
   on conflict do nothing
   returning id`,
)

const columns = `id, checkout_id, customer_id, chain_id, token, payer, nonce, valid_after,
  valid_before, sealed_signature, state, reason, transaction_id, hinted_transaction_id,
  submitted_at`

export const authorizationById = statement(
  'x402_authorizations_by_id',
  `select ${columns} from x402_authorizations where id = :id`,
)

export const authorizationOfNonce = statement(
  'x402_authorizations_of_nonce',
  `select ${columns} from x402_authorizations
    where (chain_id, token, payer, nonce)
        = (:chain_id::bigint, :token::text, :payer::text, :nonce::text)`,
)

/** The authorization by which the checkout is being paid, or the one of this nonce. */
export const anyOfCheckout = statement(
  'x402_authorizations_of_checkout',
  `select id from x402_authorizations
    where checkout_id = :checkout_id and state in ('stored', 'submitted', 'settled')
    union
   select id from x402_authorizations
    where (chain_id, token, payer, nonce)
        = (:chain_id::bigint, :token::text, :payer::text, :nonce::text)
    limit 1`,
)

/**
 * Notes that it is to be submitted now, or again after a reorganization. Returns no row for one
 * that has ended.
 */
export const markSubmitted = statement(
  'x402_authorizations_submitted',
  `update x402_authorizations
      set state = 'submitted', transaction_id = null, submitted_at = clock_timestamp(),
          updated_at = clock_timestamp()
    where id = :id and state in ('stored', 'submitted')
   returning id`,
)

export const storeHint = statement(
  'x402_authorizations_hint',
  `update x402_authorizations
      set hinted_transaction_id = :transaction_id, updated_at = clock_timestamp()
    where id = :id`,
)

/** Notes that it is in a block, and not yet as deep as the network requires. */
export const markMined = statement(
  'x402_authorizations_mined',
  `update x402_authorizations
      set state = 'submitted', transaction_id = :transaction_id, updated_at = clock_timestamp()
    where id = :id and state in ('stored', 'submitted')`,
)

/** Ends it once. Returns no row if it has ended already. */
export const endAuthorization = statement(
  'x402_authorizations_end',
  `update x402_authorizations
      set state = :state, reason = :reason, transaction_id = :transaction_id,
          sealed_signature = null, updated_at = clock_timestamp()
    where id = :id and state in ('stored', 'submitted')
   returning id`,
  { nullable: ['reason', 'transaction_id'] },
)

const transaction = `transaction_id, gas_nonce, gas, max_fee, priority_fee, created_at,
  ended_at is null as in_flight`
const known = { not_null: ['in_flight'] }

/** Newest first. */
export const transactionsOf = statement(
  'x402_transactions_of_authorization',
  `select ${transaction} from x402_transactions where authorization_id = :authorization_id
    order by created_at desc limit 20`,
  known,
)

/** Ends the transaction to be outbid, if the next has its nonce. */
export const highestFeeOfNewestNonce = statement(
  'x402_transactions_newest',
  `select ${transaction} from x402_transactions
    where chain_id = :chain_id and wallet = :wallet
    order by gas_nonce desc, max_fee desc limit 1`,
  known,
)

/** Returns no row while another is in flight. */
export const insertTransaction = statement(
  'x402_transactions_insert',
  `insert into x402_transactions (transaction_id, authorization_id, chain_id, wallet, gas_nonce,
                                  gas, max_fee, priority_fee)
   values (:transaction_id, :authorization_id, :chain_id, :wallet, :gas_nonce, :gas, :max_fee,
           :priority_fee)
   on conflict do nothing
   returning transaction_id`,
)

export const endTransactions = statement(
  'x402_transactions_end',
  `update x402_transactions set ended_at = clock_timestamp()
    where authorization_id = :authorization_id and ended_at is null`,
)
