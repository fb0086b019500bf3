// The profile of a registry: one entry of registries.yaml, parsed.

/** The part of an entry of registries.yaml that all protocols share. */
type CommonProfile = {
  name: string
  tlds: string[]
  /** Our name at the registry: a read shows it as the sponsor of what is ours. */
  client_id: string
  password: string
  names_per_check: number
  /** How many commands it takes at once. */
  sessions: number
  /** How long one answer (and one connection with log-in) may take. */
  timeout_ms: number
  contacts: 'required' | 'prohibited' | 'optional'
  /** Roles beside the registrant that it wants of every name. */
  contact_roles: readonly ('admin' | 'technical' | 'billing')[]
  /** It reports prices, and no command is to cost more than its `fee`. */
  fee: boolean
  periods: { min: number; max: number }
  max_term_years: number
  /** For so many days after its creation and after each transfer a name cannot be transferred. */
  transfer_lock_days: number
  /**
   * `years`: those that a transfer adds; `send_period`: the request says so. A registry may take no
   * period there (2105).
   */
  transfer: { years: number; send_period: boolean }
  /**
   * `computed`: it shows no exDate (optional in RFC 5731), so the expiry is its crDate and the
   * years that were bought.
   */
  expiry: 'shown' | 'computed'
  currency: string
  /**
   * By TLD: code points, as "2764" or "1F600-1F64F", that its names may have though IDNA 2008
   * forbids them.
   */
  idn: Readonly<Record<string, { also: string[] }>>
  /** By TLD: the label with which its prices are asked for; others when that gives none. */
  price_probes: Readonly<Record<string, string>>
}

export type EppProfile = CommonProfile & {
  adapter: 'epp'
  host: string
  port: number
  /** Paths of PEM files. `servername` null: the host's own name is expected of the certificate. */
  tls: {
    ca_file: string | null
    cert_file: string | null
    key_file: string | null
    servername: string | null
  }
  /** The registry ends a session after so much silence; a hello goes out at 40 % of it. */
  idle_s: number
  host_model: 'hostObj' | 'hostAttr'
  auth_info_on_create: 'random' | 'empty'
  /**
   * Where the password travels (RFC 8807). `required`: in the extension always. `long_passwords`:
   * in it above 16 characters. `never`: the registry does not speak it.
   */
  login_security: 'required' | 'long_passwords' | 'never'
}

export type OpenproviderProfile = CommonProfile & {
  adapter: 'openprovider'
  /** Up to and with the version: https://api.openprovider.eu/v1beta */
  base_url: string
}

/** One entry of registries.yaml, parsed. EPP: `fee` says that RFC 8748 is spoken. */
export type RegistryProfile = EppProfile | OpenproviderProfile
