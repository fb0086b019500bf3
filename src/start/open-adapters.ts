// Opens the adapters that are chosen by the settings: registries, DNS, mail and the payment
// gateway.
import type { Logger } from 'pino'
import type { Chat } from '../adapters/chat/port.ts'
import { openSlackWebhook } from '../adapters/chat/slack-webhook.ts'
import { openDelegations } from '../adapters/dns/delegation.ts'
import { openNameServerClient } from '../adapters/dns/lookup/name-server-client.ts'
import type { Dns, SignedMessages } from '../adapters/dns/port.ts'
import { openPowerDns } from '../adapters/dns/powerdns/powerdns.ts'
import { openEmbeddedDns } from '../adapters/dns/server/dns-server.ts'
import type { BtcpayMethod } from '../adapters/gateway/btcpay/btcpay-methods.ts'
import type { Gateway } from '../adapters/gateway/port.ts'
import type { Mailer } from '../adapters/mail/port.ts'
import { openSmtpMailer } from '../adapters/mail/smtp.ts'
import type { CardProcessor } from '../adapters/processor/port.ts'
import { openWebPush } from '../adapters/push/web-push.ts'
import { openPublicRates } from '../adapters/rates/public-rates.ts'
import {
  type Endpoint,
  openRegistries,
  type Registries,
  type RegistriesFile,
} from '../adapters/registry/registries.ts'
import type { X402 } from '../adapters/x402/port.ts'
import type { App } from '../app.ts'
import { packetPace, zoneStore } from '../capabilities/domains/index.ts'
import { depositPath } from '../capabilities/top-ups/index.ts'
import type { Settings } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'
import { type Meter, type Watch, watching } from '../kit/telemetry.ts'
import { openSessionLeases } from '../session-leases/index.ts'

/** The registries file, and the endpoints of the sandbox's registries. */
export type Places = { file: RegistriesFile; endpoints: ReadonlyMap<string, Endpoint> }

type RegistryParts = { db: Database; log: Logger; clock: Clock; meter?: Meter | undefined }

/**
 * Opens the registries on the nodes' common budget of sessions without connecting to them. `close`
 * ends the sessions cleanly and frees them for others.
 */
export function openServiceRegistries(
  { file, endpoints }: Places,
  { db, log, clock, meter }: RegistryParts,
): Registries {
  const sessionLeases = openSessionLeases({ db, log })
  const registries = openRegistries(file, {
    endpoints,
    log,
    clock,
    meter,
    leasesOf: sessionLeases.of,
  })
  return {
    ...registries,
    async close() {
      await registries.close()
      await sessionLeases.close()
    },
  }
}

/**
 * `signed` is null until the whole service has started, because DNS updates change records as
 * requests do.
 */
type DnsParts = { db: Database; log: Logger; signed: () => SignedMessages | null }

/**
 * Serves the zones by the name server of this node, or by a PowerDNS elsewhere. Throws
 * NameServerError with one line when the node's own cannot listen.
 */
export async function openDns(settings: Settings, { db, log, signed }: DnsParts): Promise<Dns> {
  const { powerdns_url: url, powerdns_api_key: api_key, nameserver_addresses: glue } = settings
  const place = { host: settings.dns_host, port: settings.dns_port }
  const parts = { store: zoneStore(db), glue, signed, log }
  if (settings.dns_adapter !== 'powerdns' || url === null || api_key === null)
    return await openEmbeddedDns({ place, ...parts })
  const { dns_update_host: host, dns_update_port: port } = settings
  const own = await openEmbeddedDns({ place: { host, port }, setting: 'DNS_UPDATE', ...parts })
  const close = () => own.close()
  return { ...openPowerDns({ url, api_key, place, glue }), updates: own.place, close }
}

/**
 * The name servers of others. In the sandbox a setting may name places for them, also on this
 * machine.
 */
export function openForeignDns(
  { environment, name_server_places }: Settings,
  { resolvers, db }: { resolvers: readonly string[]; db: Database },
): Pick<App, 'delegations' | 'nameServers'> {
  const places = environment === 'sandbox' ? name_server_places : new Map()
  return {
    delegations: openDelegations(resolvers),
    nameServers: openNameServerClient({ resolvers, places, reserve: packetPace(db) }),
  }
}

/** Opens the mail server, or null where none is set: mails then wait until one is. */
export function openMail(
  { mail_from: from }: Settings,
  { smtp_url: url, log }: { smtp_url: string | null; log: Logger },
): Mailer | null {
  return url === null ? null : openSmtpMailer({ url, from, log })
}

/** The operators' chat and web push, each null where it is not set. */
export function openNotifiers(settings: Settings, { clock, watched }: NotifierParts) {
  const { support_webhook_url: url, allow_loopback_webhooks: allows_loopback } = settings
  const { vapid_private_key: private_key, vapid_subject: subject } = settings
  const chat: Chat | null = url === null ? null : openSlackWebhook({ url })
  if (private_key === null || subject === null) return { chat, webPush: null }
  const sender = { private_key, subject, allows_loopback }
  return { chat, webPush: watched('push', openWebPush(sender, { clock })) }
}

type NotifierParts = { clock: Clock; watched: Watch }

/** The simulated BTCPay Server and Stripe of the sandbox. */
export type SandboxPayments = {
  gateway: { base_url: string; store_id: string; api_key: string }
  processor: { base_url: string; api_key: string }
}

/** The payment methods that the simulated server offers. */
const sandboxMethods: readonly BtcpayMethod[] = [
  { id: 'USDC-BASE', asset: 'USDC', network: 'base', decimals: 6, pegged_to: 'USD' },
  { id: 'BTC-CHAIN', asset: 'BTC', network: 'bitcoin', decimals: 8, pegged_to: null },
  { id: 'ETH-BASE', asset: 'ETH', network: 'base', decimals: 18, pegged_to: null },
]

type GatewayParts = { db: Database; log: Logger; clock: Clock; watched?: Watch }
type PaymentParts = Required<GatewayParts> & { sandbox: SandboxPayments | null }

/** The gateway, x402 and the card processor, each null where it is not set. */
export async function openPayments(settings: Settings, parts: PaymentParts) {
  const { sandbox, watched } = parts
  const gateway = await openGateway(settings, parts)
  const x402 = await openX402Payments(settings)
  const processor = await openProcessor(settings, sandbox)
  return {
    gateway: gateway && watched('gateway', gateway),
    x402: x402 && watched('x402', x402),
    processor: processor && watched('processor', processor),
  }
}

/** The gateway, or null where none is set. An adapter is loaded only where it is chosen. */
export async function openGateway(
  settings: Settings,
  { sandbox, ...parts }: GatewayParts & { sandbox: SandboxPayments | null },
): Promise<Gateway | null> {
  if (settings.gateway === 'evm') return openEvm(settings, parts)
  const { btcpay_url: url, btcpay_store_id: store_id, btcpay_api_key: api_key } = settings
  const own = settings.gateway === 'btcpay' && url && store_id && api_key
  const place = own ? { url, store_id, api_key } : simulatedGateway(sandbox)
  if (!place) return null
  const { openBtcpay } = await import('../adapters/gateway/btcpay/btcpay.ts')
  const profile = {
    ...place,
    invoice_routes: own ? settings.btcpay_invoice_routes : ('invoices' as const),
    webhook_secret: settings.btcpay_webhook_secret,
    methods: own ? settings.btcpay_methods : sandboxMethods,
  }
  return openBtcpay(profile, { now: parts.clock.now })
}

/**
 * The gateway that reads the chains itself, or null without its settings. Rejects with
 * GatewaySettingError where they do not fit the chains.
 */
export async function openEvm(settings: Settings, { db, log, clock, watched }: GatewayParts) {
  const { evm_xpub: xpub, evm_networks_file: file, kraken_url, bitstamp_url } = settings
  if (xpub === null || file === null) return null
  const rates = (watched ?? watching(undefined, null))(
    'rates',
    openPublicRates({ clock, kraken_url, bitstamp_url }),
  )
  const { openEvmGateway } = await import('../adapters/gateway/evm/evm-gateway.ts')
  const { loadNetworks } = await import('../adapters/gateway/evm/networks.ts')
  return openEvmGateway({
    xpub,
    networks: loadNetworks(file),
    nextPath: (checkout_id) => depositPath(db, checkout_id),
    rates,
    clock,
    log,
  })
}

/**
 * The settlement of x402, or null where no settings let one settle. Throws GatewaySettingError for
 * a key that is not that of a gas wallet.
 */
async function openX402Payments(settings: Settings): Promise<X402 | null> {
  const { evm_xpub: xpub, evm_networks_file: file, x402_gas_key: key } = settings
  const { x402_facilitator_url: url, x402_most_gas_price_gwei: gwei } = settings
  if (xpub === null || file === null || (key === null && url === null)) return null
  const { openX402 } = await import('../adapters/x402/x402.ts')
  const { loadNetworks } = await import('../adapters/gateway/evm/networks.ts')
  const most_gas_price = BigInt(gwei) * 1_000_000_000n
  return openX402({
    xpub,
    networks: loadNetworks(file),
    settle_by:
      key === null
        ? { kind: 'facilitator', url: url ?? '' }
        : { kind: 'wallet', key, most_gas_price },
  })
}

function simulatedGateway(sandbox: SandboxPayments | null) {
  return sandbox && { ...sandbox.gateway, url: sandbox.gateway.base_url }
}

/**
 * The card processor, or null where no key is set. The simulated one has no webhook, so its
 * sessions are read.
 */
export async function openProcessor(
  settings: Settings,
  sandbox: SandboxPayments | null,
): Promise<CardProcessor | null> {
  const { stripe_secret_key, stripe_webhook_secret: webhook_secret, stripe_api_url } = settings
  const simulated = sandbox?.processor
  const secret_key = stripe_secret_key ?? simulated?.api_key
  const url = stripe_secret_key ? stripe_api_url : simulated?.base_url
  if (!secret_key || !url) return null
  const { openStripe } = await import('../adapters/processor/stripe.ts')
  return openStripe({ secret_key, webhook_secret, url })
}
