// Profiles of the two simulated registries: TLDs, prices and rules.

/** The registry's prices for one year, in US cents. */
type Prices = { create: number; renew: number; transfer: number; restore: number }

export type RegistryName = 'thin' | 'thick'

export type Profile = {
  name: RegistryName
  prices: Record<string, Prices>
  /**
   * TLDs whose labels all have one script, as Unicode names it; any other label is refused with
   * 2005.
   */
  scripts: Record<string, RegExp>
  names_per_check: number
  /** The result code of a check with too many names; real registries differ. */
  too_many_names_code: number
  contacts: 'prohibited' | 'required'
  host_model: 'hostAttr' | 'hostObj'
  /** The required forms of an authInfo (RFC 9154 section 4); any other is refused with 2202. */
  auth_info_needs: Record<string, RegExp>
}

/** Settings that can be changed at run time. */
export type Settings = {
  idle_ms: number
  sessions_per_registrar: number
  /**
   * A clTRID that was seen before closes the connection without an answer, as one real server does.
   */
  refuse_reused_cl_trid: boolean
  /** Transfers are refused (2201) in the first 60 days after creation or the last transfer. */
  sixty_day_rule: boolean
  /** No info shows authInfo, as at registries that store only its hash (RFC 9154). */
  hides_auth_info: boolean
  /** No info shows trDate, which RFC 5731 leaves optional. */
  hides_transfer_date: boolean
  /** No exDate in creData, renData, trnData and infData, which RFC 5731 leaves optional. */
  hides_expiry: boolean
  /** A transfer that names a period is refused (2105), as at registries where it adds none. */
  transfer_without_period: boolean
  /** The years that a transfer adds. */
  transfer_years: number
  /**
   * The price of several years at once, as a share of the price of the first year and the further
   * ones: real registries offer several years for less or for more (RFC 8748 section 3.3).
   */
  several_years_percent: number
  /** A log-in without the extension of RFC 8807 is refused (2003), however short its password. */
  login_security_required: boolean
}

export const DEFAULT_SETTINGS: Settings = {
  idle_ms: 120_000,
  sessions_per_registrar: 10,
  refuse_reused_cl_trid: true,
  sixty_day_rule: true,
  hides_auth_info: false,
  hides_transfer_date: false,
  several_years_percent: 100,
  hides_expiry: false,
  transfer_without_period: false,
  transfer_years: 1,
  login_security_required: false,
}

export const CURRENCY = 'USD'
export const MAX_YEARS = 10
export const MAX_NAMESERVERS = 13
export const OPENING_CREDIT_CENTS = 100_000_000

/** The registrars with an account at both registries. */
export const REGISTRARS: Record<string, { password: string }> = {
  'registrar-a': { password: 'sandbox-a-pw-01' },
  'registrar-b': { password: 'sandbox-b-pw-01' },
}

function flat(cents: number, restore = 4000): Prices {
  return { create: cents, renew: cents, transfer: cents, restore }
}

export const PROFILES: Record<RegistryName, Profile> = {
  thin: {
    name: 'thin',
    prices: {
      com: flat(959),
      net: flat(1091),
      org: flat(1011),
      dev: flat(1000, 8000),
      app: flat(1200, 8000),
    },
    scripts: {},
    names_per_check: 50,
    too_many_names_code: 2306,
    contacts: 'prohibited',
    host_model: 'hostAttr',
    auth_info_needs: {},
  },
  thick: {
    name: 'thick',
    prices: {
      test: flat(500),
      example: flat(600),
      io: { create: 3200, renew: 4500, transfer: 4500, restore: 9000 },
      ai: flat(7000, 12_000),
      xyz: { create: 200, renew: 1018, transfer: 1018, restore: 8000 },
      co: flat(2100, 8000),
      'xn--p1ai': flat(700),
    },
    scripts: { 'xn--p1ai': /^(?=.*\p{L})[\p{Script=Cyrillic}0-9-]+$/u },
    names_per_check: 10,
    too_many_names_code: 2004,
    contacts: 'required',
    host_model: 'hostObj',
    auth_info_needs: {
      'a lower-case letter': /[a-z]/,
      'an upper-case letter': /[A-Z]/,
      'a digit': /[0-9]/,
    },
  },
}
