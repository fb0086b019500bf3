// Settings of payments: the gateway of top-ups, and the card processor.
import type { BtcpayMethod } from '../adapters/gateway/btcpay/btcpay-methods.ts'
import { currencies } from '../kit/money.ts'
import { list, optional, origin, type Reader, SettingError, whole, word } from './readers.ts'
import { sellerSettings } from './seller-settings.ts'
import { setting } from './setting.ts'

/** These settings are spread into the table of all settings. */
export function paymentSettings() {
  return {
    quote_loss_percent: setting('QUOTE_LOSS_PERCENT', whole(0, 1_000), {
      preset: '5',
      meaning: 'How far, in percent, a price may rise above a quote that is still honored.',
    }),
    gateway: setting('GATEWAY', gatewayName, {
      preset: '',
      meaning:
        'The gateway of top-ups in cryptocurrencies. evm: addresses of your own on EVM chains. ' +
        'btcpay: a BTCPay Server. If empty, the sandbox starts a simulated one, and in ' +
        'production there is none.',
    }),
    ...checkoutSettings(),
    ...evmSettings(),
    ...btcpaySettings(),
    ...stripeSettings(),
    ...sellerSettings(),
  }
}

function checkoutSettings() {
  return {
    gateway_webhook_token: setting('GATEWAY_WEBHOOK_TOKEN', optional, {
      preset: '',
      meaning:
        'The secret in the URL of the webhook that the gateway calls (?token=...); without it ' +
        'no call is accepted, and payments are found by polling alone.',
    }),
    checkout_minutes: setting('CHECKOUT_MINUTES', whole(5, 1_440), {
      preset: '30',
      meaning: 'Minutes in which a top-up can be paid at its quote.',
    }),
    checkout_watch_seconds: setting('CHECKOUT_WATCH_SECONDS', whole(1, 3_600), {
      preset: '15',
      meaning: 'Seconds between two observations of open top-ups at the gateway.',
    }),
    checkout_watch_days: setting('CHECKOUT_WATCH_DAYS', whole(1, 60), {
      preset: '30',
      meaning: 'Days after its end in which late payments of a top-up are still found.',
    }),
    checkouts_open: setting('CHECKOUTS_OPEN', whole(1, 10_000), {
      preset: '20',
      meaning: 'Top-ups that an account may have open at once, as each one uses an address.',
    }),
    checkout_least_cents: setting('CHECKOUT_LEAST_CENTS', whole(1, 1_000_000_000), {
      preset: '1',
      meaning: 'The least amount of a top-up, in cents.',
    }),
    checkout_most_cents: setting('CHECKOUT_MOST_CENTS', whole(1, 1_000_000_000), {
      preset: '1000000',
      meaning: 'The highest amount of a top-up, in cents.',
    }),
  }
}

function evmSettings() {
  return {
    evm_xpub: setting('EVM_XPUB', extendedPublicKey, {
      preset: '',
      meaning:
        "The extended public key (xpub...) of your wallet's account, e.g. m/44'/60'/0', below " +
        'which each payment gets an address. The private one stays in the wallet.',
    }),
    evm_networks_file: setting('EVM_NETWORKS_FILE', optional, {
      preset: '',
      meaning:
        'A JSON file with the chains, their RPC endpoints and the assets that are accepted: ' +
        'docs/evm-networks.md.',
    }),
    kraken_url: setting('KRAKEN_URL', rootUrl, {
      preset: 'https://api.kraken.com',
      meaning: "Root of Kraken's public API, the first source of exchange rates.",
    }),
    bitstamp_url: setting('BITSTAMP_URL', rootUrl, {
      preset: 'https://www.bitstamp.net',
      meaning: "Root of Bitstamp's public API, the second one; both must agree.",
    }),
  }
}

/** The value is never in the message, because it may be the private key. */
const extendedPublicKey: Reader<string | null> = (value, name) => {
  if (value === '') return null
  if (/^xpub[1-9A-HJ-NP-Za-km-z]{107}$/.test(value)) return value
  throw new SettingError(
    name,
    /^.prv/.test(value)
      ? 'is an extended private key; set the public one (xpub...), and keep that in the wallet'
      : 'must be an extended public key (xpub...)',
  )
}

const rootUrl: Reader<string> = (value, name) => {
  const url = origin(value, name)
  if (url === null) throw new SettingError(name, 'must be set')
  return url
}

function btcpaySettings() {
  return {
    btcpay_url: setting('BTCPAY_URL', origin, {
      preset: '',
      meaning: 'Root of the BTCPay Server, e.g. https://btcpay.example.com',
    }),
    btcpay_store_id: setting('BTCPAY_STORE_ID', optional, {
      preset: '',
      meaning: 'The id of its store that receives the payments.',
    }),
    btcpay_api_key: setting('BTCPAY_API_KEY', optional, {
      preset: '',
      meaning:
        'An API key that may view and create invoices of that store and view its settings ' +
        '(btcpay.store.canviewinvoices, cancreateinvoice, canviewstoresettings).',
    }),
    btcpay_webhook_secret: setting('BTCPAY_WEBHOOK_SECRET', optional, {
      preset: '',
      meaning: 'The secret of its webhook; without it no webhook is accepted.',
    }),
    btcpay_invoice_routes: setting('BTCPAY_INVOICE_ROUTES', word(['invoices', 'stores']), {
      preset: 'invoices',
      meaning:
        'Where its API has one invoice. invoices: /api/v1/invoices/{id}. stores: ' +
        '/api/v1/stores/{store}/invoices/{id}, as versions before 2026 have it.',
    }),
    btcpay_methods: setting('BTCPAY_METHODS', btcpayMethods, {
      preset: 'BTC-CHAIN=BTC/bitcoin/8',
      meaning:
        'The payment methods to offer, with commas: its id, the asset, the network and the ' +
        'decimals of a base unit; of a stablecoin also the currency that one is worth, e.g. ' +
        'BTC-CHAIN=BTC/bitcoin/8,USDT-TRON=USDT/tron/6/USD',
    }),
  }
}

function stripeSettings() {
  return {
    stripe_secret_key: setting('STRIPE_SECRET_KEY', optional, {
      preset: '',
      meaning:
        'The secret or restricted API key of Stripe, for top-ups by card: a live one in ' +
        'production, one of test mode in the sandbox.',
    }),
    stripe_webhook_secret: setting('STRIPE_WEBHOOK_SECRET', optional, {
      preset: '',
      meaning:
        "The signing secret of Stripe's webhook (whsec_...); in a sandbox without a key, of the " +
        'simulated Stripe. Without it no webhook is accepted.',
    }),
    stripe_api_url: setting('STRIPE_API_URL', origin, {
      preset: 'https://api.stripe.com',
      meaning: "Root of Stripe's API; tests have a simulated one.",
    }),
    card_checkout_read_seconds: setting('CARD_CHECKOUT_READ_SECONDS', whole(5, 3_600), {
      preset: '60',
      meaning:
        'How soon after it was opened an unpaid checkout by card is read at Stripe, in seconds; ' +
        'later readings are farther apart. Webhooks are faster.',
    }),
    card_refund_read_hours: setting('CARD_REFUND_READ_HOURS', whole(1, 168), {
      preset: '24',
      meaning:
        'How often the refunds and disputes of a payment by card are read, for 180 days, in ' +
        'hours, in case a webhook was lost.',
    }),
  }
}

const gatewayName: Reader<'btcpay' | 'evm' | null> = (value, name) =>
  value === '' ? null : word(['btcpay', 'evm'])(value, name)

const btcpayMethods: Reader<BtcpayMethod[]> = (value, name) => {
  const methods = list(value, name).map((one) => {
    const found =
      /^([A-Za-z0-9_-]+)=([A-Z0-9]+)\/([a-z0-9-]+)\/([0-9]{1,2})(?:\/([A-Z]{3}))?$/.exec(one)
    const [, id = '', asset = '', network = '', decimals = '', peg] = found ?? []
    const pegged_to = currencies.find((currency) => currency === peg) ?? null
    if (!found || Number(decimals) > 30 || (peg !== undefined && pegged_to === null))
      throw new SettingError(name, `must be like BTC-CHAIN=BTC/bitcoin/8, not "${one}"`)
    return { id, asset, network, decimals: Number(decimals), pegged_to }
  })
  for (const key of ['id', 'key'] as const) {
    const all = methods.map(({ id, asset, network }) => (key === 'id' ? id : `${asset}/${network}`))
    if (new Set(all).size < all.length)
      throw new SettingError(name, 'must list each method and each asset of a network once')
  }
  return methods
}

type Related = {
  environment: 'sandbox' | 'production'
  gateway: 'btcpay' | 'evm' | null
  evm_xpub: string | null
  evm_networks_file: string | null
  kraken_url: string
  bitstamp_url: string
  btcpay_url: string | null
  btcpay_store_id: string | null
  btcpay_api_key: string | null
  stripe_secret_key: string | null
  stripe_webhook_secret: string | null
  stripe_api_url: string | null
}

const needed = {
  btcpay: ['btcpay_url', 'btcpay_store_id', 'btcpay_api_key'],
  evm: ['evm_xpub', 'evm_networks_file'],
} as const

/** Throws SettingError for payment settings that contradict each other. It repeats no secret. */
export function requirePayments(all: Related): void {
  for (const [gateway, names] of Object.entries(needed))
    for (const name of names) {
      const isSet = all[name] !== null
      if (all.gateway === gateway && !isSet)
        throw new SettingError(name.toUpperCase(), `must be set for GATEWAY=${gateway}`)
      if (all.gateway !== gateway && isSet)
        throw new SettingError(name.toUpperCase(), `is set, and GATEWAY is not ${gateway}`)
    }
  requireSafe(all.btcpay_url, 'BTCPAY_URL')
  requireSafe(all.stripe_api_url, 'STRIPE_API_URL')
  requireStripeKey(all)
  requireSafe(all.kraken_url, 'KRAKEN_URL')
  requireSafe(all.bitstamp_url, 'BITSTAMP_URL')
}

/** Keys are sent there, so plain HTTP is only allowed on this machine. */
export function requireSafe(value: string | null, name: string): void {
  if (value === null) return
  const { protocol, hostname } = new URL(value)
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !isHere) throw new SettingError(name, 'must be an https URL')
}

/** Payments of test mode are free, and in production they would credit real balances. */
function requireStripeKey({ environment, ...all }: Related): void {
  const { stripe_secret_key: key, stripe_webhook_secret: secret } = all
  if (key === null) {
    // In the sandbox it signs the events of the simulated Stripe.
    if (secret === null || environment === 'sandbox') return
    throw new SettingError('STRIPE_SECRET_KEY', 'must be set, as STRIPE_WEBHOOK_SECRET is')
  }
  const [, mode] = /^[rs]k_(live|test)_[A-Za-z0-9]+$/.exec(key) ?? []
  const wanted = environment === 'production' ? 'live' : 'test'
  if (mode !== wanted)
    throw new SettingError('STRIPE_SECRET_KEY', `must be like sk_${wanted}_... in ${environment}`)
}
