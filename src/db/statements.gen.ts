// Made by typegen/typegen.ts from the database itself: bin/check --write renews it.
import type { Json, Jsonb } from './typegen/column-types.ts'

export type { Json, Jsonb }

/** The parameters and the row of every statement, by its name. */
export interface Statements {
  api_keys_flush_uses: {
    params: [readonly (bigint | null)[], readonly (Date | null)[]]
    row: Record<string, never>
  }
  api_keys_hold_consent: {
    params: [string, string]
    row: {
      ends_at: Date | null
    }
  }
  api_keys_insert: {
    params: [string, bigint | null, Buffer, string, string | null, readonly (string | null)[], Date | null, string | null, Date]
    row: {
      id: bigint
      customer_id: string
      key_prefix: string
      name: string | null
      scopes: string[]
      oauth_grant_id: string | null
      expires_at: Date | null
      revoked_at: Date | null
      last_used_at: Date | null
      created_at: Date
    }
  }
  api_keys_narrow_descendants: {
    params: [string, bigint, readonly (string | null)[]]
    row: Record<string, never>
  }
  api_keys_notify_revoked: {
    params: [string]
    row: {
      notified: string | null
    }
  }
  api_keys_of_customer: {
    params: [string]
    row: {
      id: bigint
      customer_id: string
      key_prefix: string
      name: string | null
      scopes: string[]
      oauth_grant_id: string | null
      expires_at: Date | null
      revoked_at: Date | null
      last_used_at: Date | null
      created_at: Date
    }
  }
  api_keys_of_hash: {
    params: [Buffer]
    row: {
      id: bigint
      customer_id: string
      name: string | null
      scopes: string[]
      expires_at: Date | null
      suspended: boolean
    }
  }
  api_keys_of_id: {
    params: [string, bigint]
    row: {
      id: bigint
      customer_id: string
      key_prefix: string
      name: string | null
      scopes: string[]
      oauth_grant_id: string | null
      expires_at: Date | null
      revoked_at: Date | null
      last_used_at: Date | null
      created_at: Date
    }
  }
  api_keys_replace_secret: {
    params: [string, bigint, Buffer, string, string | null, readonly (string | null)[]]
    row: {
      id: bigint
      customer_id: string
      key_prefix: string
      name: string | null
      scopes: string[]
      oauth_grant_id: string | null
      expires_at: Date | null
      revoked_at: Date | null
      last_used_at: Date | null
      created_at: Date
    }
  }
  api_keys_revoke_family: {
    params: [string, bigint, Date]
    row: Record<string, never>
  }
  audit_active_alarms: {
    params: [number]
    row: {
      subject: string
      detail: string
    }
  }
  audit_append: {
    params: [string]
    row: {
      id: bigint
    }
  }
  audit_begin_era: {
    params: [number, bigint]
    row: Record<string, never>
  }
  audit_block_of_row: {
    params: [string, bigint]
    row: {
      number: bigint
      era: number
      first_id: bigint
      highest_id: bigint
      from_xid: string
      from_id: bigint
      to_xid: string
      to_id: bigint
      row_count: number
      merkle_root: Buffer
      previous_hash: Buffer
      key_id: string
      created_at: Date
      block_hash: Buffer
      signature: Buffer
      public_key: Buffer
    }
  }
  audit_blocks_after: {
    params: [bigint, number]
    row: {
      number: bigint
      era: number
      first_id: bigint
      highest_id: bigint
      from_xid: string
      from_id: bigint
      to_xid: string
      to_id: bigint
      row_count: number
      merkle_root: Buffer
      previous_hash: Buffer
      key_id: string
      created_at: Date
      block_hash: Buffer
      signature: Buffer
      public_key: Buffer
    }
  }
  audit_end_alarms: {
    params: []
    row: Record<string, never>
  }
  audit_eras: {
    params: []
    row: {
      era: number
      first_id: bigint
    }
  }
  audit_free_id: {
    params: [bigint]
    row: {
      id: bigint
    }
  }
  audit_head_state: {
    params: [bigint]
    row: {
      newest_number: bigint | null
      newest_hash: Buffer | null
      noted_hash: Buffer | null
      era_known: boolean
      alarmed: boolean
      may: boolean
    }
  }
  audit_hold_writers: {
    params: []
    row: Record<string, never>
  }
  audit_insert_block: {
    params: [bigint, number, bigint, bigint, string, bigint, string, bigint, number, Buffer, Buffer, string, Date, Buffer, Buffer, Buffer]
    row: Record<string, never>
  }
  audit_insert_restoration: {
    params: [bigint, number, bigint, bigint, Buffer, bigint, Buffer, string, string, Date, Buffer, Buffer, Buffer]
    row: Record<string, never>
  }
  audit_link_at: {
    params: [bigint]
    row: {
      kind: string
      number: bigint
      hash: Buffer
      era: number
      created_at: Date
    }
  }
  audit_new_era_start: {
    params: [string, bigint]
    row: {
      first_id: bigint
    }
  }
  audit_newest_block: {
    params: []
    row: {
      number: bigint
      era: number
      first_id: bigint
      highest_id: bigint
      from_xid: string
      from_id: bigint
      to_xid: string
      to_id: bigint
      row_count: number
      merkle_root: Buffer
      previous_hash: Buffer
      key_id: string
      created_at: Date
      block_hash: Buffer
      signature: Buffer
      public_key: Buffer
    }
  }
  audit_of_customer: {
    params: [string, bigint | null, number]
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: bigint | null
      customer_id: string | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
    }
  }
  audit_of_customer_by_action: {
    params: [string, string, readonly (string | null)[], bigint | null, number]
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: bigint | null
      customer_id: string | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
    }
  }
  audit_of_customer_by_entry_point: {
    params: [string, string, bigint | null, number]
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: bigint | null
      customer_id: string | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
    }
  }
  audit_of_domain: {
    params: [string, string, string | null, Date | null, Date | null, bigint | null, number]
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: bigint | null
      customer_id: string | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
    }
  }
  audit_of_domains: {
    params: [string, bigint | null, number]
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: bigint | null
      customer_id: string | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
    }
  }
  audit_of_domains_by_action: {
    params: [string, string, Date | null, Date | null, bigint | null, number]
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: bigint | null
      customer_id: string | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
    }
  }
  audit_of_domains_by_time: {
    params: [string, Date | null, Date | null, bigint | null, number]
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: bigint | null
      customer_id: string | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
    }
  }
  audit_raise_alarm: {
    params: [string, boolean, string, number]
    row: {
      fresh: boolean
    }
  }
  audit_repair_eras: {
    params: []
    row: Record<string, never>
  }
  audit_restorations: {
    params: []
    row: {
      number: bigint
      era: number
      first_id: bigint
      previous_number: bigint
      previous_hash: Buffer
      lost_number: bigint
      lost_hash: Buffer
      reason: string
      key_id: string
      created_at: Date
      record_hash: Buffer
      signature: Buffer
      public_key: Buffer
    }
  }
  audit_row_of_customer: {
    params: [string, bigint]
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: bigint | null
      customer_id: string | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
    }
  }
  audit_row_position: {
    params: [bigint]
    row: {
      xid: string
      row_hash: Buffer
    }
  }
  audit_rows_in_order: {
    params: [string, bigint, bigint, bigint, string, bigint, number]
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: bigint | null
      customer_id: string | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
      xid: string
      row_hash: Buffer
    }
  }
  audit_rows_to_seal: {
    params: [string, bigint, bigint, bigint, boolean, number]
    row: {
      id: bigint
      xid: string
      row_hash: Buffer
    }
  }
  audit_take_turn: {
    params: []
    row: {
      taken: boolean
    }
  }
  contacts_at_registry: {
    params: [string, bigint, string]
    row: {
      id: bigint
      customer_id: string
      name: string
      email: string
      company_name: string | null
      address: string
      address_line_2: string | null
      city: string
      state: string
      country: string
      zip: string
      phone_country_code: string
      phone_number: string
      version: bigint
      digest: string
      registry_contact_id: string | null
      synced_version: bigint | null
    }
  }
  contacts_clear_defaults: {
    params: [string, bigint | null, boolean, boolean, boolean, boolean, Date]
    row: Record<string, never>
  }
  contacts_default_registrant: {
    params: [string]
    row: {
      id: bigint
    }
  }
  contacts_defaults_of: {
    params: [string]
    row: {
      id: bigint
      default_registrant: boolean
      default_admin: boolean
      default_technical: boolean
      default_billing: boolean
    }
  }
  contacts_delete: {
    params: [string, bigint]
    row: Record<string, never>
  }
  contacts_free_handle: {
    params: [string, readonly (string | null)[]]
    row: {
      handle: string
    }
  }
  contacts_insert: {
    params: [string, string, string, string, string | null, string, string | null, string, string, string, string, string, string, boolean, boolean, boolean, boolean, Date]
    row: {
      handle: string
      name: string
      email: string
      company_name: string | null
      address: string
      address_line_2: string | null
      city: string
      state: string
      country: string
      zip: string
      phone_country_code: string
      phone_number: string
      default_registrant: boolean
      default_admin: boolean
      default_technical: boolean
      default_billing: boolean
      id: bigint
      customer_id: string
      version: bigint
      created_at: Date
      updated_at: Date
    }
  }
  contacts_notify_changed: {
    params: [string]
    row: {
      notified: string | null
    }
  }
  contacts_of_customer: {
    params: [string]
    row: {
      handle: string
      name: string
      email: string
      company_name: string | null
      address: string
      address_line_2: string | null
      city: string
      state: string
      country: string
      zip: string
      phone_country_code: string
      phone_number: string
      default_registrant: boolean
      default_admin: boolean
      default_technical: boolean
      default_billing: boolean
      id: bigint
      customer_id: string
      version: bigint
      created_at: Date
      updated_at: Date
    }
  }
  contacts_of_id: {
    params: [string, bigint]
    row: {
      handle: string
      name: string
      email: string
      company_name: string | null
      address: string
      address_line_2: string | null
      city: string
      state: string
      country: string
      zip: string
      phone_country_code: string
      phone_number: string
      default_registrant: boolean
      default_admin: boolean
      default_technical: boolean
      default_billing: boolean
      id: bigint
      customer_id: string
      version: bigint
      created_at: Date
      updated_at: Date
    }
  }
  contacts_owned: {
    params: [string, readonly (bigint | null)[], string | null]
    row: {
      id: bigint
      by_handle: boolean | null
    }
  }
  contacts_owner: {
    params: [bigint]
    row: {
      customer_id: string
    }
  }
  contacts_update: {
    params: [string, bigint, string, string, string | null, string, string | null, string, string, string, string, string, string, boolean, boolean, boolean, boolean, Date, boolean]
    row: {
      handle: string
      name: string
      email: string
      company_name: string | null
      address: string
      address_line_2: string | null
      city: string
      state: string
      country: string
      zip: string
      phone_country_code: string
      phone_number: string
      default_registrant: boolean
      default_admin: boolean
      default_technical: boolean
      default_billing: boolean
      id: bigint
      customer_id: string
      version: bigint
      created_at: Date
      updated_at: Date
    }
  }
  customers_insert: {
    params: [string, string, string, string | null, Date]
    row: {
      id: string
      email: string
      email_verified: boolean
      name: string
      company_name: string | null
      status: string
      default_nameservers: string[]
      provider_client: Json | null
      created_at: Date
      updated_at: Date
    }
  }
  customers_lock: {
    params: [string]
    row: {
      id: string
    }
  }
  customers_nameservers_of: {
    params: [string]
    row: {
      default_nameservers: string[]
    }
  }
  customers_of_id: {
    params: [string]
    row: {
      id: string
      email: string
      email_verified: boolean
      name: string
      company_name: string | null
      status: string
      default_nameservers: string[]
      provider_client: Json | null
      created_at: Date
      updated_at: Date
    }
  }
  customers_put_email_verified: {
    params: [string, Date]
    row: Record<string, never>
  }
  customers_update_default_nameservers: {
    params: [string, readonly (string | null)[], Date]
    row: {
      default_nameservers: string[]
    }
  }
  customers_update_profile: {
    params: [string, string | null, boolean, string | null, Date]
    row: {
      id: string
      email: string
      email_verified: boolean
      name: string
      company_name: string | null
      status: string
      default_nameservers: string[]
      provider_client: Json | null
      created_at: Date
      updated_at: Date
    }
  }
  customers_with_email: {
    params: [string]
    row: {
      there: boolean
    }
  }
  db_migrations: {
    params: []
    row: {
      number: number
      name: string
      sha256: string
      applied_at: Date
    }
  }
  db_ping: {
    params: []
    row: {
      now: Date
    }
  }
  domain_changes_claim: {
    params: [string, string, number]
    row: {
      domain: string
    }
  }
  domain_changes_end: {
    params: [string, string]
    row: Record<string, never>
  }
  domain_changes_purge: {
    params: [Date, number]
    row: Record<string, never>
  }
  domains_ask_again: {
    params: [bigint, string, Date]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_auth_code_of: {
    params: [bigint, string]
    row: {
      hash: string | null
      sealed: string | null
      sent_sealed: string | null
      expires_at: Date | null
    }
  }
  domains_by_name: {
    params: [string, string]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_by_registrar: {
    params: [string]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_claim_auto_renewals: {
    params: [Date, bigint, string]
    row: {
      currency: string | null
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_claim_due: {
    params: [string, Date, Date, bigint]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_claim_unpaid: {
    params: [Date, Date, Date, bigint, string]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_code_still_expired: {
    params: [bigint, Date]
    row: {
      id: bigint
    }
  }
  domains_drop_sent_auth_code: {
    params: [bigint, string, string | null]
    row: {
      id: bigint
    }
  }
  domains_end: {
    params: [bigint, string, string]
    row: {
      id: bigint
    }
  }
  domains_expected: {
    params: [string]
    row: {
      expected: boolean
    }
  }
  domains_expired_code: {
    params: [bigint, Date]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
      unset_at: Date
    }
  }
  domains_give_up_wanted: {
    params: [bigint]
    row: {
      id: bigint
    }
  }
  domains_held_by_registrar: {
    params: [string]
    row: {
      held: boolean
    }
  }
  domains_held_since: {
    params: [string]
    row: {
      registered_at: Date
    }
  }
  domains_holder_of_name: {
    params: [string]
    row: {
      customer_id: string
    }
  }
  domains_keep_auth_code: {
    params: [bigint, string, string, Date, string]
    row: {
      id: bigint
    }
  }
  domains_last_of_name: {
    params: [string, string]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_lock: {
    params: [bigint]
    row: {
      id: bigint
    }
  }
  domains_make_sync_due: {
    params: [string, Date]
    row: Record<string, never>
  }
  domains_mark_deleting: {
    params: [bigint, Date, Date]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_mark_hold: {
    params: [bigint, Date]
    row: {
      id: bigint
    }
  }
  domains_mark_missing: {
    params: [bigint, string, Date, Date]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_named_registries: {
    params: []
    row: {
      registry: string
    }
  }
  domains_note_deletion: {
    params: [bigint, Date]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_note_deletion_of: {
    params: [string, Date]
    row: Record<string, never>
  }
  domains_note_transfer_out: {
    params: [string, Jsonb | null]
    row: {
      customer_id: string
    }
  }
  domains_of_customer: {
    params: [string, string, bigint]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_place_orders: {
    params: [Jsonb]
    row: {
      i: number
      outcome: string
      order_id: string | null
      available: bigint | null
    }
  }
  domains_plan_auth_code: {
    params: [bigint, string, Date, string]
    row: {
      id: bigint
    }
  }
  domains_prior_state: {
    params: [string, string, string | null]
    row: {
      key_digest: string | null
      answer: Json | null
      key_order: string | null
      key_type: string | null
      running: boolean | null
      open_order: string | null
      open_digest: string | null
      holding: bigint | null
    }
  }
  domains_purge_auth_code: {
    params: [bigint, Date]
    row: Record<string, never>
  }
  domains_purge_hold: {
    params: [bigint]
    row: {
      id: bigint
    }
  }
  domains_purge_wanted: {
    params: [bigint, string]
    row: Record<string, never>
  }
  domains_put_last_try: {
    params: [bigint, Date]
    row: Record<string, never>
  }
  domains_refresh: {
    params: [Jsonb]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_refresh_one: {
    params: [Jsonb, bigint]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_renewed_on_hold: {
    params: [bigint, Date]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_set_auto_renew: {
    params: [bigint, string, boolean]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
    }
  }
  domains_settle_orders: {
    params: [Jsonb]
    row: {
      i: number
      outcome: string
      state: string
    }
  }
  domains_term_mismatches: {
    params: [bigint]
    row: {
      name: string
      customer_id: string
      expiry: Date
      detail: string | null
      in_all: number
    }
  }
  domains_to_delegate: {
    params: [bigint]
    row: {
      id: bigint
      name: string
      customer_id: string
      registry: string
      status: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      registered_at: Date
      synced_at: Date | null
      sync_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      auto_renew_at: Date | null
      wanted_nameservers: string[] | null
      auth_code_expires_at: Date | null
      created_at: Date
      updated_at: Date
      ended_at: Date | null
      ordered: Json | null
    }
  }
  domains_unmark_deleting: {
    params: [bigint, Date]
    row: Record<string, never>
  }
  domains_unpaid_by_ledger: {
    params: [bigint, Date]
    row: {
      unpaid: boolean
    }
  }
  domains_year_facts: {
    params: [string, string, Date]
    row: {
      open: boolean
      restored: boolean
      given_back: number
    }
  }
  expiry_notices_due: {
    params: [string, Date, Date, string, bigint, bigint]
    row: {
      id: bigint
      name: string
      customer_id: string
      expiry: Date
      auto_renew: boolean
      due: boolean
      looked: number
      at: string
      currency: string | null
    }
  }
  expiry_notices_note: {
    params: [bigint, string, Date]
    row: {
      domain_id: bigint
    }
  }
  expiry_notices_purge: {
    params: [Date, number]
    row: Record<string, never>
  }
  idempotency_keys_purge: {
    params: [Date, number]
    row: Record<string, never>
  }
  jobs_beat: {
    params: [string]
    row: Record<string, never>
  }
  jobs_claim: {
    params: [string, number, boolean]
    row: {
      token: bigint | null
      wait_ms: number
    }
  }
  jobs_end_beats: {
    params: [string]
    row: Record<string, never>
  }
  jobs_finish: {
    params: [string, bigint, number, string | null]
    row: {
      name: string
    }
  }
  jobs_purge_schedules: {
    params: [readonly (string | null)[]]
    row: Record<string, never>
  }
  jobs_put_schedule: {
    params: [string, number]
    row: Record<string, never>
  }
  jobs_read_beats: {
    params: [number]
    row: {
      nodes: bigint
      newest_age_ms: number | null
    }
  }
  jobs_read_troubled: {
    params: []
    row: {
      name: string
      failures: number
      overdue: boolean
    }
  }
  jobs_renew_lease: {
    params: [string, bigint, number]
    row: {
      lease_token: bigint
    }
  }
  ledger_balance_of: {
    params: [string, string]
    row: {
      customer_id: string
      currency: string
      available: bigint
      held: bigint
      updated_at: Date
    }
  }
  ledger_entries_of: {
    params: [string, bigint | null, bigint]
    row: {
      id: bigint
      type: string
      amount: bigint
      currency: string
      available_after: bigint
      held_after: bigint
      description: string
      domain: string | null
      operation_id: string | null
      checkout_id: string | null
      invoice_id: bigint | null
      created_at: Date
    }
  }
  ledger_entries_of_currency: {
    params: [string, string, bigint | null, bigint]
    row: {
      id: bigint
      type: string
      amount: bigint
      currency: string
      available_after: bigint
      held_after: bigint
      description: string
      domain: string | null
      operation_id: string | null
      checkout_id: string | null
      invoice_id: bigint | null
      created_at: Date
    }
  }
  mails_addressee: {
    params: [string]
    row: {
      email: string
      name: string
    }
  }
  mails_insert: {
    params: [string, string | null, string, string, string, string, string, boolean]
    row: Record<string, never>
  }
  mails_is_open: {
    params: [string]
    row: {
      id: string
    }
  }
  mails_mark_failed: {
    params: [string, string]
    row: Record<string, never>
  }
  mails_mark_sent: {
    params: [string]
    row: Record<string, never>
  }
  mails_outbox: {
    params: []
    row: {
      waiting: bigint
      late_s: number
      held_up: bigint
      failed: bigint
    }
  }
  mails_purge: {
    params: [Date, number]
    row: Record<string, never>
  }
  mails_purge_bodies: {
    params: [number, number]
    row: Record<string, never>
  }
  mails_put_back: {
    params: [string, number, number, string]
    row: Record<string, never>
  }
  mails_start: {
    params: [string]
    row: {
      kind: string
      recipient: string
      subject: string
      body: string
      sealed: boolean
      created_at: Date
    }
  }
  mcp_client_names_keep: {
    params: [string, Buffer, string]
    row: Record<string, never>
  }
  mcp_client_names_of: {
    params: [string, Buffer]
    row: {
      name: string
    }
  }
  mcp_client_names_purge: {
    params: [Date, number]
    row: Record<string, never>
  }
  oauth_account_claims: {
    params: [string]
    row: {
      sub: string
      name: string
      email: string
      email_verified: boolean
    }
  }
  oauth_browser_login_end: {
    params: [string, Date]
    row: Record<string, never>
  }
  oauth_browser_login_find: {
    params: [string, Date]
    row: {
      id: bigint
      signed_in_at: Date
    }
  }
  oauth_clients_count_unused: {
    params: [number]
    row: {
      unused: number
    }
  }
  oauth_clients_delete_unused: {
    params: [readonly (string | null)[]]
    row: Record<string, never>
  }
  oauth_clients_keep: {
    params: [string, Buffer, Jsonb, string]
    row: Record<string, never>
  }
  oauth_clients_lock_unused: {
    params: [number, number, number, number]
    row: {
      client_id: string | null
    }
  }
  oauth_documents_keep: {
    params: [string, Jsonb, string | null, Date, Date]
    row: Record<string, never>
  }
  oauth_documents_purge: {
    params: [Date, number, number]
    row: Record<string, never>
  }
  oauth_documents_read: {
    params: [string, Date]
    row: {
      fields: Json
      etag: string | null
      read_at: Date
      fresh_until: Date
    }
  }
  oauth_documents_remove: {
    params: [string, Date]
    row: Record<string, never>
  }
  oauth_grants_end: {
    params: [string]
    row: Record<string, never>
  }
  oauth_grants_end_unused: {
    params: [number]
    row: Record<string, never>
  }
  oauth_grants_flush_uses: {
    params: [readonly (string | null)[], readonly (Date | null)[]]
    row: Record<string, never>
  }
  oauth_grants_hold_of_model: {
    params: [string, Buffer]
    row: {
      id: string
    }
  }
  oauth_grants_insert: {
    params: [string, string, string, string, string, readonly (string | null)[], string, Date, Buffer]
    row: {
      id: string
    }
  }
  oauth_grants_is_connected: {
    params: [string, string]
    row: {
      connected: boolean
    }
  }
  oauth_grants_of_client_exist: {
    params: [string]
    row: {
      consented: boolean
    }
  }
  oauth_grants_of_customer: {
    params: [string, string | null, number]
    row: {
      id: string
      client_id: string
      client_name: string
      redirect_host: string
      scopes: string[]
      resource: string
      created_at: Date
      last_used_at: Date | null
      revoked_at: Date | null
    }
  }
  oauth_grants_of_id: {
    params: [string, string]
    row: {
      id: string
      client_id: string
      client_name: string
      redirect_host: string
      scopes: string[]
      resource: string
      created_at: Date
      last_used_at: Date | null
      revoked_at: Date | null
    }
  }
  oauth_grants_of_interaction: {
    params: [Buffer]
    row: {
      id: string
      customer_id: string
    }
  }
  oauth_grants_purge: {
    params: [number, number]
    row: {
      purged: number
    }
  }
  oauth_grants_resume: {
    params: [string, string]
    row: {
      may: boolean
    }
  }
  oauth_grants_revoke: {
    params: [string, string, Date]
    row: Record<string, never>
  }
  oauth_grants_set_session: {
    params: [string, bigint]
    row: Record<string, never>
  }
  oauth_lock_password: {
    params: [string]
    row: {
      changed_at: Date
    }
  }
  oauth_models_access_of_hash: {
    params: [Buffer, string]
    row: {
      expires_at: Date
      scope: string | null
      grant_id: string
      customer_id: string
      client_name: string
      scopes: string[]
      suspended: boolean
    }
  }
  oauth_models_consume: {
    params: [string, Buffer]
    row: {
      at: string
    }
  }
  oauth_models_consumed_at: {
    params: [string, Buffer]
    row: {
      at: string | null
    }
  }
  oauth_models_destroy: {
    params: [string, Buffer]
    row: {
      notified: string | null
    }
  }
  oauth_models_destroy_of_grant: {
    params: [string]
    row: Record<string, never>
  }
  oauth_models_grant_of: {
    params: [string, Buffer]
    row: {
      grant_id: string | null
    }
  }
  oauth_models_of_id: {
    params: [string, Buffer]
    row: {
      payload: Json
      consumed: bigint | null
    }
  }
  oauth_models_purge: {
    params: [bigint]
    row: Record<string, never>
  }
  oauth_models_put: {
    params: [string, Buffer, Jsonb, string | null, string | null, string | null, string | null, number | null]
    row: Record<string, never>
  }
  oauth_models_session_of_uid: {
    params: [string]
    row: {
      payload: Json
      id_hash: Buffer
    }
  }
  oauth_signing_keys_insert: {
    params: [string, string, string, string, number]
    row: {
      notified: string | null
    }
  }
  oauth_signing_keys_lock: {
    params: []
    row: {
      locked: string | null
    }
  }
  oauth_signing_keys_published: {
    params: []
    row: {
      kid: string
      purpose: string
      alg: string
      sealed: string
      signs: boolean
      changes_in_ms: number | null
    }
  }
  oauth_signing_keys_purge: {
    params: []
    row: Record<string, never>
  }
  oauth_signing_keys_retire: {
    params: [string, number, number]
    row: Record<string, never>
  }
  operator_keys_any: {
    params: []
    row: {
      found: boolean
    }
  }
  operator_keys_insert_first: {
    params: [Buffer, Date]
    row: {
      id: bigint
    }
  }
  operator_keys_of_hash: {
    params: [Buffer]
    row: {
      id: bigint
      label: string
    }
  }
  operator_keys_put_environment: {
    params: [Buffer, Date]
    row: Record<string, never>
  }
  operator_keys_revoke_environment: {
    params: [Buffer, Date]
    row: Record<string, never>
  }
  orders_begin_attempt: {
    params: [string, string, string, readonly (string | null)[]]
    row: {
      unanswered_at: Date | null
    }
  }
  orders_by_id: {
    params: [string, string]
    row: {
      id: string
      customer_id: string
      type: string
      domain: string
      registry: string
      state: string
      currency: string
      amount: bigint
      digest: string
      command: Json
      attempts: number
      fingerprints: string[]
      first_sent_at: Date
      unanswered_at: Date | null
      error_code: string | null
      error_detail: string | null
      alarm: string | null
      api_key_id: bigint | null
      sealed: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_claim_due: {
    params: [bigint, number, string, string]
    row: {
      id: string
      customer_id: string
      type: string
      domain: string
      registry: string
      state: string
      currency: string
      amount: bigint
      digest: string
      command: Json
      attempts: number
      fingerprints: string[]
      first_sent_at: Date
      unanswered_at: Date | null
      error_code: string | null
      error_detail: string | null
      alarm: string | null
      api_key_id: bigint | null
      sealed: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_claim_transfer: {
    params: [string, string, number, string]
    row: {
      id: string
      customer_id: string
      type: string
      domain: string
      registry: string
      state: string
      currency: string
      amount: bigint
      digest: string
      command: Json
      attempts: number
      fingerprints: string[]
      first_sent_at: Date
      unanswered_at: Date | null
      error_code: string | null
      error_detail: string | null
      alarm: string | null
      api_key_id: bigint | null
      sealed: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_currency_of_domain: {
    params: [string, string]
    row: {
      currency: string
    }
  }
  orders_give_back: {
    params: [string, string]
    row: Record<string, never>
  }
  orders_last: {
    params: [string, string]
    row: {
      id: string
      customer_id: string
      type: string
      domain: string
      registry: string
      state: string
      currency: string
      amount: bigint
      digest: string
      command: Json
      attempts: number
      fingerprints: string[]
      first_sent_at: Date
      unanswered_at: Date | null
      error_code: string | null
      error_detail: string | null
      alarm: string | null
      api_key_id: bigint | null
      sealed: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_last_of_names: {
    params: [string, readonly (string | null)[]]
    row: {
      id: string
      customer_id: string
      type: string
      domain: string
      registry: string
      state: string
      currency: string
      amount: bigint
      digest: string
      command: Json
      attempts: number
      fingerprints: string[]
      first_sent_at: Date
      unanswered_at: Date | null
      error_code: string | null
      error_detail: string | null
      alarm: string | null
      api_key_id: bigint | null
      sealed: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_leave: {
    params: [string, string, string, number, string | null, string | null, string | null]
    row: {
      updated_at: Date
    }
  }
  orders_mark_notified: {
    params: [string]
    row: {
      id: string
    }
  }
  orders_name: {
    params: [string, string, string, string]
    row: Record<string, never>
  }
  orders_of_anyone_by_id: {
    params: [string]
    row: {
      id: string
      customer_id: string
      type: string
      domain: string
      registry: string
      state: string
      currency: string
      amount: bigint
      digest: string
      command: Json
      attempts: number
      fingerprints: string[]
      first_sent_at: Date
      unanswered_at: Date | null
      error_code: string | null
      error_detail: string | null
      alarm: string | null
      api_key_id: bigint | null
      sealed: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
      held: boolean
    }
  }
  orders_of_key: {
    params: [string, string]
    row: {
      order_id: string
      key_digest: string
    }
  }
  orders_open: {
    params: [string, string]
    row: {
      id: string
      customer_id: string
      type: string
      domain: string
      registry: string
      state: string
      currency: string
      amount: bigint
      digest: string
      command: Json
      attempts: number
      fingerprints: string[]
      first_sent_at: Date
      unanswered_at: Date | null
      error_code: string | null
      error_detail: string | null
      alarm: string | null
      api_key_id: bigint | null
      sealed: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_open_purchases_of_customer: {
    params: [string, string, bigint]
    row: {
      id: string
      customer_id: string
      type: string
      domain: string
      registry: string
      state: string
      currency: string
      amount: bigint
      digest: string
      command: Json
      attempts: number
      fingerprints: string[]
      first_sent_at: Date
      unanswered_at: Date | null
      error_code: string | null
      error_detail: string | null
      alarm: string | null
      api_key_id: bigint | null
      sealed: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_parked: {
    params: [boolean, string, number]
    row: {
      id: string
      customer_id: string
      type: string
      domain: string
      registry: string
      state: string
      currency: string
      amount: bigint
      digest: string
      command: Json
      attempts: number
      fingerprints: string[]
      first_sent_at: Date
      unanswered_at: Date | null
      error_code: string | null
      error_detail: string | null
      alarm: string | null
      api_key_id: bigint | null
      sealed: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_recent_renewal: {
    params: [string, string, string, Date]
    row: {
      id: string
      customer_id: string
      type: string
      domain: string
      registry: string
      state: string
      currency: string
      amount: bigint
      digest: string
      command: Json
      attempts: number
      fingerprints: string[]
      first_sent_at: Date
      unanswered_at: Date | null
      error_code: string | null
      error_detail: string | null
      alarm: string | null
      api_key_id: bigint | null
      sealed: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_restored_since: {
    params: [string, string, string, Date]
    row: {
      restored: boolean
    }
  }
  orders_result: {
    params: [string]
    row: {
      id: string
      customer_id: string
      type: string
      domain: string
      state: string
      currency: string
      amount: bigint
      error_detail: string | null
      was_answered: boolean
      expiry: Date | null
    }
  }
  orders_set_alarm: {
    params: [string, string, string]
    row: Record<string, never>
  }
  orders_store_answer: {
    params: [string, string, Jsonb]
    row: Record<string, never>
  }
  orders_take_parked: {
    params: [string, string, number]
    row: {
      id: string
      customer_id: string
      type: string
      domain: string
      registry: string
      state: string
      currency: string
      amount: bigint
      digest: string
      command: Json
      attempts: number
      fingerprints: string[]
      first_sent_at: Date
      unanswered_at: Date | null
      error_code: string | null
      error_detail: string | null
      alarm: string | null
      api_key_id: bigint | null
      sealed: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_times: {
    params: [string, string]
    row: {
      created_at: Date
      updated_at: Date
    }
  }
  orders_wake: {
    params: [string, string | null, string | null]
    row: Record<string, never>
  }
  password_links_answer: {
    params: [string, string, Buffer, Buffer, Date]
    row: Record<string, never>
  }
  password_links_close: {
    params: [string, Date]
    row: Record<string, never>
  }
  password_links_end: {
    params: [string, Date, string | null]
    row: Record<string, never>
  }
  password_links_insert_reset: {
    params: [string, string, Date, Date, string]
    row: Record<string, never>
  }
  password_links_insert_setup: {
    params: [string, string, string, Buffer, Date, Date]
    row: Record<string, never>
  }
  password_links_notify: {
    params: []
    row: {
      notified: string | null
    }
  }
  password_links_of_hash: {
    params: [Buffer, Date]
    row: {
      id: string
      kind: string
      email: string
      expires_at: Date
    }
  }
  password_links_open_request: {
    params: [string]
    row: {
      id: string
      address: string | null
      customer_id: string | null
      is_known: boolean
    }
  }
  password_links_purge: {
    params: [Date, number]
    row: Record<string, never>
  }
  password_links_take_try_back: {
    params: [string]
    row: Record<string, never>
  }
  password_links_try: {
    params: [string, Date, string]
    row: {
      id: string
      email: string
      code_mac: Buffer | null
      is_known: boolean
    }
  }
  password_links_use: {
    params: [string, Date]
    row: {
      kind: string
      customer_id: string
    }
  }
  passwords_put: {
    params: [string, string, Date]
    row: Record<string, never>
  }
  passwords_renew_hash: {
    params: [string, string, string]
    row: Record<string, never>
  }
  pricing_in_currency: {
    params: [string]
    row: {
      tld: string
      action: string
      registry: string
      cost_currency: string
      cost: bigint
      price: bigint
      synced_at: Date
    }
  }
  pricing_lock: {
    params: []
    row: {
      currency: string
      tld: string
      action: string
      price: bigint
    }
  }
  pricing_put: {
    params: [readonly (string | null)[], readonly (string | null)[], readonly (string | null)[], readonly (string | null)[], readonly (string | null)[], readonly (bigint | null)[], readonly (bigint | null)[], Date]
    row: Record<string, never>
  }
  pricing_stale: {
    params: [readonly (string | null)[], readonly (string | null)[], Date]
    row: {
      tld: string
    }
  }
  provider_clients_begin: {
    params: [string, string, number, string, number]
    row: {
      state: string
    }
  }
  provider_clients_begin_refresh: {
    params: [string, string, number]
    row: {
      contact_id: bigint
    }
  }
  provider_clients_is_behind: {
    params: [string, string]
    row: {
      customer_id: string
    }
  }
  provider_clients_reconciled: {
    params: [string, string, string, string, Date]
    row: Record<string, never>
  }
  provider_clients_refused: {
    params: [string, string, string, string]
    row: Record<string, never>
  }
  provider_clients_silent: {
    params: [string, string, string]
    row: Record<string, never>
  }
  rate_limits_lease: {
    params: [string, number, number, number]
    row: {
      granted: number
      left: number
      resets_s: number
    }
  }
  rate_limits_purge: {
    params: [Date, number]
    row: Record<string, never>
  }
  registry_contacts_mark_synced: {
    params: [bigint, string, string, bigint]
    row: Record<string, never>
  }
  registry_messages_acked: {
    params: [string, string]
    row: Record<string, never>
  }
  registry_messages_count_failure: {
    params: [string, string, Date | null, string, string, string | null, Jsonb, string, boolean, string]
    row: {
      failures: number
    }
  }
  registry_messages_handled: {
    params: [bigint, string | null]
    row: Record<string, never>
  }
  registry_messages_purge: {
    params: [Date, number]
    row: Record<string, never>
  }
  registry_messages_put: {
    params: [string, string, Date | null, string, string, string | null, Jsonb, string, boolean]
    row: {
      id: bigint
      handled: boolean
    }
  }
  sandbox_notify_offset: {
    params: [bigint]
    row: {
      notified: string
    }
  }
  sandbox_put_offset: {
    params: [bigint]
    row: {
      offset_ms: bigint
    }
  }
  sandbox_raise_offset: {
    params: [bigint]
    row: {
      offset_ms: bigint
    }
  }
  sandbox_read_offset: {
    params: []
    row: {
      offset_ms: bigint
    }
  }
  session_leases_acquire: {
    params: [string, string, number, number, number, number]
    row: {
      lease: bigint
      waited_for: boolean
    }
  }
  session_leases_end_wait: {
    params: [string, string]
    row: Record<string, never>
  }
  session_leases_read_neighbours: {
    params: [string, string]
    row: {
      node: string
    }
  }
  session_leases_read_nodes: {
    params: [string]
    row: {
      node: string
      held: number
      held_ms: number | null
      waited_ms: number | null
    }
  }
  session_leases_release: {
    params: [bigint]
    row: {
      notified: string | null
    }
  }
  session_leases_release_node: {
    params: [string]
    row: {
      notified: string | null
    }
  }
  session_leases_renew: {
    params: [readonly (bigint | null)[], number]
    row: {
      lease: bigint
      registry: string
      waited_for: boolean
    }
  }
  sessions_any: {
    params: [string, bigint]
    row: {
      id: bigint
    }
  }
  sessions_end: {
    params: [string, bigint, Date]
    row: Record<string, never>
  }
  sessions_end_all: {
    params: [string, bigint | null, Date]
    row: Record<string, never>
  }
  sessions_end_oldest: {
    params: [string, Date, Date, number]
    row: Record<string, never>
  }
  sessions_flush_uses: {
    params: [readonly (bigint | null)[], readonly (Date | null)[]]
    row: Record<string, never>
  }
  sessions_insert: {
    params: [string, Buffer, Date, Date, string, string, Date]
    row: {
      id: bigint
    }
  }
  sessions_live: {
    params: [string, Date, Date, number]
    row: {
      id: bigint
      created_at: Date
      signed_in_at: Date
      last_used_at: Date
      expires_at: Date
      agent: string
      address: string
    }
  }
  sessions_of_hash: {
    params: [Buffer]
    row: {
      id: bigint
      customer_id: string
      signed_in_at: Date
      last_used_at: Date
      expires_at: Date
      suspended: boolean
    }
  }
  sessions_purge: {
    params: [Date, number]
    row: Record<string, never>
  }
  sessions_sign_in_again: {
    params: [string, bigint, Date]
    row: {
      id: bigint
    }
  }
  sign_in_account_of_email: {
    params: [string, string]
    row: {
      id: string
      suspended: boolean
      hash: string | null
      changed_at: Date | null
      is_usual: boolean
    }
  }
  sign_in_give_back_units: {
    params: [readonly (string | null)[], readonly (string | null)[]]
    row: {
      given: string | null
    }
  }
  sign_in_note_place: {
    params: [string, string, Date]
    row: Record<string, never>
  }
  sign_in_purge_failures: {
    params: [Date, number]
    row: Record<string, never>
  }
  sign_in_purge_places: {
    params: [Date, number]
    row: Record<string, never>
  }
  sign_in_take_units: {
    params: [readonly (string | null)[], readonly (number | null)[], readonly (number | null)[]]
    row: {
      wait_s: number
    }
  }
  tasks_claim: {
    params: [string, number, string, string, Date | null, number]
    row: {
      id: bigint
      key: string
      payload: Json
      version: number
      attempts: number
    }
  }
  tasks_complete: {
    params: [bigint, string, number]
    row: {
      id: bigint
    }
  }
  tasks_count_dead: {
    params: []
    row: {
      kind: string
      dead: bigint
    }
  }
  tasks_enqueue: {
    params: [string, string, string, Jsonb, Date | null, string]
    row: {
      enqueued: string | null
    }
  }
  tasks_fail: {
    params: [bigint, string, number, number, Date | null, number, string, boolean]
    row: {
      id: bigint
    }
  }
  tasks_purge_dead: {
    params: [Date, number]
    row: Record<string, never>
  }
  tasks_renew: {
    params: [readonly (bigint | null)[], string, number]
    row: {
      id: bigint
    }
  }
  top_ups_by_session_or_intent: {
    params: [string, string | null]
    row: {
      processor_checkout_session_id: string
      processor_payment_intent_id: string | null
      customer_id: string
      currency: string
      amount: bigint
      entry_id: bigint
      created_at: Date
    }
  }
  top_ups_insert: {
    params: [string, string | null, string, string, bigint, string]
    row: {
      entry_id: bigint
      created_at: Date
    }
  }
  top_ups_lock: {
    params: [readonly (string | null)[]]
    row: {
      pg_advisory_xact_lock: string | null
    }
  }
  zones_claim: {
    params: [string, number, string | null]
    row: {
      name: string
      domain_id: bigint
      nameservers: string[]
      serial: bigint
      state: string
      lease_token: bigint
      push_failures: number
    }
  }
  zones_claim_due: {
    params: [bigint, number, string | null]
    row: {
      name: string
      domain_id: bigint
      nameservers: string[]
      serial: bigint
      state: string
      lease_token: bigint
      push_failures: number
    }
  }
  zones_count_other_records: {
    params: [bigint, string]
    row: {
      others: number
    }
  }
  zones_dequeue: {
    params: [bigint]
    row: Record<string, never>
  }
  zones_find: {
    params: [readonly (string | null)[], readonly (string | null)[]]
    row: {
      zone: string
      serial: bigint
      nameservers: string[]
      name: string
      value: string | null
      ttl: number | null
      wildcard_value: string | null
      wildcard_ttl: number | null
      has_below: boolean
    }
  }
  zones_follow: {
    params: [bigint, string]
    row: {
      has_zone: boolean | null
    }
  }
  zones_lock: {
    params: [string, string]
    row: {
      name: string
      domain_id: bigint
      serial: bigint
    }
  }
  zones_lock_holding: {
    params: [bigint, string]
    row: {
      id: bigint
    }
  }
  zones_mark_pushed: {
    params: [string, bigint, bigint]
    row: Record<string, never>
  }
  zones_mark_unpushed: {
    params: [string, bigint, number, string]
    row: Record<string, never>
  }
  zones_purge: {
    params: [string, bigint, bigint]
    row: Record<string, never>
  }
  zones_pushed: {
    params: [string]
    row: {
      pushed: boolean | null
    }
  }
  zones_put_record: {
    params: [bigint, string, string, string, number]
    row: {
      host: string
    }
  }
  zones_records_of: {
    params: [bigint]
    row: {
      host: string
      value: string
      ttl: number
    }
  }
  zones_repair: {
    params: [string, bigint]
    row: {
      looked: number
      last: string | null
      repaired: number
    }
  }
  zones_repair_ended: {
    params: [string, bigint]
    row: {
      looked: number
      last: string | null
      repaired: number
    }
  }
  zones_requeue: {
    params: [string, bigint]
    row: {
      more: boolean
    }
  }
  zones_set_own_nameservers: {
    params: [readonly (string | null)[]]
    row: {
      names: string[]
    }
  }
  zones_set_provider: {
    params: [string | null]
    row: {
      one_row: boolean
    }
  }
  zones_touch: {
    params: [string]
    row: {
      serial: bigint
    }
  }
}
