// The profile of a registry: one parsed entry of registries.yaml.

/** The part of an entry of registries.yaml that all protocols share. */
type CommonProfile = {
  name: string
  tlds: string[]
  /** Our name at the registry, which a read shows as the sponsor of our objects. */
  client_id: string
  password: string
  names_per_check: number
  /** How many commands it takes at once. */
  sessions: number
  /** How long one answer (or one connection with its log-in) may take. */
  timeout_ms: number
  contacts: 'required' | 'prohibited' | 'optional'
  /** The roles besides the registrant that it wants for every name. */
  contact_roles: readonly ('admin' | 'technical' | 'billing')[]
  /** It reports prices, and no command may cost more than its `fee`. */
  fee: boolean
  periods: { min: number; max: number }
  max_term_years: number
  /** A name cannot be transferred for this many days after its creation and after each transfer. */
  transfer_lock_days: number
  /**
   * `years` are those that a transfer adds; `send_period` says whether the request states them. A
   * registry may accept no period there (2105).
   */
  transfer: { years: number; send_period: boolean }
  /**
   * `computed`: it shows no exDate (optional in RFC 5731), so the expiry is its crDate plus the
   * years that were bought.
   */
  expiry: 'shown' | 'computed'
  currency: string
  /**
   * For each TLD, the code points such as "2764" or "1F600-1F64F" that its names may contain
   * although IDNA 2008 forbids them.
   */
  idn: Readonly<Record<string, { also: string[] }>>
  /**
   * For each TLD, the label with which its prices are requested; others are tried if that label
   * gives none.
   */
  price_probes: Readonly<Record<string, string>>
}

export type EppProfile = CommonProfile & {
  adapter: 'epp'
  host: string
  port: number
  /** Paths of PEM files. With `servername` null, the certificate must have the host's own name. */
  tls: {
    ca_file: string | null
    cert_file: string | null
    key_file: string | null
    servername: string | null
  }
  /** The registry ends a session after this much silence, so a hello is sent at 40 % of it. */
  idle_s: number
  host_model: 'hostObj' | 'hostAttr'
  auth_info_on_create: 'random' | 'empty'
  /**
   * Where the password is sent (RFC 8807). `required`: always in the extension. `long_passwords`:
   * in the extension above 16 characters. `never`: the registry does not support it.
   */
  login_security: 'required' | 'long_passwords' | 'never'
}

export type OpenproviderProfile = CommonProfile & {
  adapter: 'openprovider'
  /** The URL up to and including the version: https://api.openprovider.eu/v1beta */
  base_url: string
}

/** One parsed entry of registries.yaml. For EPP, `fee` says that RFC 8748 is supported. */
export type RegistryProfile = EppProfile | OpenproviderProfile
