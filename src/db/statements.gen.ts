// Made by typegen/typegen.ts from the database itself: bin/check --write renews it.
import type {
  ApiKeyId,
  ApprovalId,
  CheckoutId,
  CustomerId,
  DomainName,
  GrantId,
  InvoiceId,
  OrderId,
  PaymentId,
  TransferId,
} from '../kit/random.ts'
import type { Json, Jsonb } from './postgres/column-types.ts'

export type { Json, Jsonb }

/** The parameters and the row of every statement, by its name. */
export interface Statements {
  api_keys_count_active: {
    params: { customer_id: CustomerId; now: Date; limit: number }
    row: {
      active: bigint
    }
  }
  api_keys_flush_uses: {
    params: { ids: readonly (bigint | null)[]; times: readonly (Date | null)[] }
    row: Record<string, never>
  }
  api_keys_for_mcp: {
    params: { customer_id: CustomerId }
    row: {
      id: ApiKeyId
      customer_id: CustomerId
      parent_key_id: ApiKeyId | null
      ancestors: bigint[]
      key_prefix: string
      name: string | null
      scopes: string[]
      oauth_grant_id: GrantId | null
      expires_at: Date | null
      revoked_at: Date | null
      last_used_at: Date | null
      created_at: Date
      made_by: string | null
    }
  }
  api_keys_hold_consent: {
    params: { customer_id: CustomerId; grant_id: GrantId }
    row: {
      ends_at: Date | null
      scopes: string[]
    }
  }
  api_keys_insert: {
    params: { customer_id: CustomerId; parent_key_id: ApiKeyId | null; key_hash: Buffer; key_prefix: string; name: string | null; scopes: readonly (string | null)[]; expires_at: Date | null; oauth_grant_id: GrantId | null; for_mcp: boolean; made_by: string; created_at: Date }
    row: {
      id: ApiKeyId
      customer_id: CustomerId
      parent_key_id: ApiKeyId | null
      ancestors: bigint[]
      key_prefix: string
      name: string | null
      scopes: string[]
      oauth_grant_id: GrantId | null
      expires_at: Date | null
      revoked_at: Date | null
      last_used_at: Date | null
      created_at: Date
      made_by: string | null
    }
  }
  api_keys_narrow_descendants: {
    params: { customer_id: CustomerId; parent_key_id: ApiKeyId; scopes: readonly (string | null)[] }
    row: Record<string, never>
  }
  api_keys_notify_revoked: {
    params: { subject: string }
    row: {
      notified: string | null
    }
  }
  api_keys_of_customer: {
    params: { customer_id: CustomerId; before: bigint; limit: number }
    row: {
      id: ApiKeyId
      customer_id: CustomerId
      parent_key_id: ApiKeyId | null
      ancestors: bigint[]
      key_prefix: string
      name: string | null
      scopes: string[]
      oauth_grant_id: GrantId | null
      expires_at: Date | null
      revoked_at: Date | null
      last_used_at: Date | null
      created_at: Date
      made_by: string | null
    }
  }
  api_keys_of_hash: {
    params: { key_hash: Buffer }
    row: {
      id: ApiKeyId
      customer_id: CustomerId
      name: string | null
      scopes: string[]
      expires_at: Date | null
      suspended: boolean
      limits: Json | null
    }
  }
  api_keys_of_id: {
    params: { customer_id: CustomerId; id: ApiKeyId }
    row: {
      id: ApiKeyId
      customer_id: CustomerId
      parent_key_id: ApiKeyId | null
      ancestors: bigint[]
      key_prefix: string
      name: string | null
      scopes: string[]
      oauth_grant_id: GrantId | null
      expires_at: Date | null
      revoked_at: Date | null
      last_used_at: Date | null
      created_at: Date
      made_by: string | null
    }
  }
  api_keys_refusal_of_hash: {
    params: { key_hash: Buffer }
    row: {
      revoked_at: Date | null
      expires_at: Date | null
      closed: boolean
    }
  }
  api_keys_replace_secret: {
    params: { key_hash: Buffer; key_prefix: string; name: string | null; scopes: readonly (string | null)[]; customer_id: CustomerId; id: ApiKeyId }
    row: {
      id: ApiKeyId
      customer_id: CustomerId
      parent_key_id: ApiKeyId | null
      ancestors: bigint[]
      key_prefix: string
      name: string | null
      scopes: string[]
      oauth_grant_id: GrantId | null
      expires_at: Date | null
      revoked_at: Date | null
      last_used_at: Date | null
      created_at: Date
      made_by: string | null
    }
  }
  api_keys_revoke_all_of_customer: {
    params: { revoked_at: Date; customer_id: CustomerId }
    row: Record<string, never>
  }
  api_keys_revoke_family: {
    params: { customer_id: CustomerId; id: ApiKeyId; revoked_at: Date }
    row: Record<string, never>
  }
  api_keys_shorten_descendants: {
    params: { expires_at: Date; customer_id: CustomerId; id: ApiKeyId }
    row: Record<string, never>
  }
  api_keys_update: {
    params: { name: string | null; expires_at: Date | null; customer_id: CustomerId; id: ApiKeyId }
    row: {
      id: ApiKeyId
      customer_id: CustomerId
      parent_key_id: ApiKeyId | null
      ancestors: bigint[]
      key_prefix: string
      name: string | null
      scopes: string[]
      oauth_grant_id: GrantId | null
      expires_at: Date | null
      revoked_at: Date | null
      last_used_at: Date | null
      created_at: Date
      made_by: string | null
    }
  }
  api_keys_withdraw: {
    params: { scopes: readonly (string | null)[]; customer_id: CustomerId; grant_ids: readonly (string | null)[] }
    row: Record<string, never>
  }
  approvals_approved: {
    params: { id: ApprovalId }
    row: {
      id: ApprovalId
    }
  }
  approvals_count_open: {
    params: { api_key_id: ApiKeyId | null; most: number; oauth_grant_id: GrantId | null }
    row: {
      open: bigint
    }
  }
  approvals_decide: {
    params: { state: string; decided_at: Date; note: string | null; id: ApprovalId; customer_id: CustomerId }
    row: Record<string, never>
  }
  approvals_end: {
    params: { state: string; error_code: string | null; error_detail: string | null; id: ApprovalId }
    row: Record<string, never>
  }
  approvals_expire: {
    params: { limit: number }
    row: Record<string, never>
  }
  approvals_expire_of_customer: {
    params: { customer_id: CustomerId }
    row: Record<string, never>
  }
  approvals_fresh_log_in: {
    params: { customer_id: CustomerId }
    row: {
      amount: bigint | null
      currency: string | null
    }
  }
  approvals_grant: {
    params: { grant_id: GrantId; customer_id: CustomerId }
    row: {
      id: GrantId
      customer_id: CustomerId
      client_id: string
      client_name: string
      scopes: string[]
      suspended: boolean
      limits: Json | null
    }
  }
  approvals_insert: {
    params: { id: ApprovalId; customer_id: CustomerId; api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null; counted_for: string; asked_by: string; agent_identifier: string; action: string; domain: DomainName; reason: string; request_digest: string; digest: string; request: Jsonb; input: string; amount: bigint | null; currency: string | null; created_at: Date; expires_at: Date }
    row: Record<string, never>
  }
  approvals_key: {
    params: { api_key_id: ApiKeyId; customer_id: CustomerId }
    row: {
      id: ApiKeyId
      customer_id: CustomerId
      name: string | null
      scopes: string[]
      suspended: boolean
      limits: Json | null
    }
  }
  approvals_list: {
    params: { customer_id: CustomerId; before: string | null; limit: number }
    row: {
      id: ApprovalId
      customer_id: CustomerId
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      asked_by: string
      agent_identifier: string
      action: string
      domain: DomainName
      reason: string
      digest: string
      request: Json
      amount: bigint | null
      currency: string | null
      state: string
      created_at: Date
      expires_at: Date
      decided_at: Date | null
      note: string | null
      ended_at: Date | null
      error_code: string | null
      error_detail: string | null
      order_id: OrderId | null
      order_state: string | null
    }
  }
  approvals_list_of_grant: {
    params: { oauth_grant_id: GrantId; before: string | null; limit: number }
    row: {
      id: ApprovalId
      customer_id: CustomerId
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      asked_by: string
      agent_identifier: string
      action: string
      domain: DomainName
      reason: string
      digest: string
      request: Json
      amount: bigint | null
      currency: string | null
      state: string
      created_at: Date
      expires_at: Date
      decided_at: Date | null
      note: string | null
      ended_at: Date | null
      error_code: string | null
      error_detail: string | null
      order_id: OrderId | null
      order_state: string | null
    }
  }
  approvals_list_of_key: {
    params: { api_key_id: ApiKeyId; before: string | null; limit: number }
    row: {
      id: ApprovalId
      customer_id: CustomerId
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      asked_by: string
      agent_identifier: string
      action: string
      domain: DomainName
      reason: string
      digest: string
      request: Json
      amount: bigint | null
      currency: string | null
      state: string
      created_at: Date
      expires_at: Date
      decided_at: Date | null
      note: string | null
      ended_at: Date | null
      error_code: string | null
      error_detail: string | null
      order_id: OrderId | null
      order_state: string | null
    }
  }
  approvals_list_open: {
    params: { customer_id: CustomerId; before: string | null; limit: number }
    row: {
      id: ApprovalId
      customer_id: CustomerId
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      asked_by: string
      agent_identifier: string
      action: string
      domain: DomainName
      reason: string
      digest: string
      request: Json
      amount: bigint | null
      currency: string | null
      state: string
      created_at: Date
      expires_at: Date
      decided_at: Date | null
      note: string | null
      ended_at: Date | null
      error_code: string | null
      error_detail: string | null
      order_id: OrderId | null
      order_state: string | null
    }
  }
  approvals_list_open_of_grant: {
    params: { oauth_grant_id: GrantId; before: string | null; limit: number }
    row: {
      id: ApprovalId
      customer_id: CustomerId
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      asked_by: string
      agent_identifier: string
      action: string
      domain: DomainName
      reason: string
      digest: string
      request: Json
      amount: bigint | null
      currency: string | null
      state: string
      created_at: Date
      expires_at: Date
      decided_at: Date | null
      note: string | null
      ended_at: Date | null
      error_code: string | null
      error_detail: string | null
      order_id: OrderId | null
      order_state: string | null
    }
  }
  approvals_list_open_of_key: {
    params: { api_key_id: ApiKeyId; before: string | null; limit: number }
    row: {
      id: ApprovalId
      customer_id: CustomerId
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      asked_by: string
      agent_identifier: string
      action: string
      domain: DomainName
      reason: string
      digest: string
      request: Json
      amount: bigint | null
      currency: string | null
      state: string
      created_at: Date
      expires_at: Date
      decided_at: Date | null
      note: string | null
      ended_at: Date | null
      error_code: string | null
      error_detail: string | null
      order_id: OrderId | null
      order_state: string | null
    }
  }
  approvals_newest: {
    params: { customer_id: CustomerId; request_digest: string; api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null }
    row: {
      id: ApprovalId
      customer_id: CustomerId
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      asked_by: string
      agent_identifier: string
      action: string
      domain: DomainName
      reason: string
      digest: string
      request: Json
      amount: bigint | null
      currency: string | null
      state: string
      created_at: Date
      expires_at: Date
      decided_at: Date | null
      note: string | null
      ended_at: Date | null
      error_code: string | null
      error_detail: string | null
      order_id: OrderId | null
      order_state: string | null
    }
  }
  approvals_of_day: {
    params: { customer_id: CustomerId; since: Date; most: number; oauth_grant_id: GrantId | null; api_key_id: ApiKeyId | null }
    row: {
      counted_for: string
      asked: bigint
    }
  }
  approvals_of_id: {
    params: { id: ApprovalId; customer_id: CustomerId }
    row: {
      id: ApprovalId
      customer_id: CustomerId
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      asked_by: string
      agent_identifier: string
      action: string
      domain: DomainName
      reason: string
      digest: string
      request: Json
      amount: bigint | null
      currency: string | null
      state: string
      created_at: Date
      expires_at: Date
      decided_at: Date | null
      note: string | null
      ended_at: Date | null
      error_code: string | null
      error_detail: string | null
      order_id: OrderId | null
      order_state: string | null
    }
  }
  approvals_purge: {
    params: { before: Date; limit: number }
    row: {
      id: string | null
    }
  }
  approvals_put_fresh_log_in: {
    params: { amount: bigint | null; currency: string | null; updated_at: Date; customer_id: CustomerId }
    row: Record<string, never>
  }
  approvals_read_sealed_input: {
    params: { after: string; limit: number }
    row: {
      key: ApprovalId
      sealed: string | null
    }
  }
  approvals_reseal_input: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  approvals_take: {
    params: { customer_id: CustomerId; digest: string; api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null }
    row: Record<string, never>
  }
  approvals_to_run: {
    params: { id: ApprovalId }
    row: {
      id: ApprovalId
      customer_id: CustomerId
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      asked_by: string
      agent_identifier: string
      action: string
      domain: DomainName
      reason: string
      digest: string
      request: Json
      amount: bigint | null
      currency: string | null
      state: string
      created_at: Date
      expires_at: Date
      decided_at: Date | null
      note: string | null
      ended_at: Date | null
      error_code: string | null
      error_detail: string | null
      order_id: OrderId | null
      order_state: string | null
      input: string | null
    }
  }
  approvals_void_older_changes: {
    params: { customer_id: CustomerId; domain: DomainName; approval_id: ApprovalId | null; asked_at: Date; lock: boolean; nameservers: boolean; auto_renew: boolean }
    row: Record<string, never>
  }
  audit_acquire_sealer_lock: {
    params: Record<string, never>
    row: {
      taken: boolean
    }
  }
  audit_active_alarms: {
    params: { lasts_ms: number }
    row: {
      subject: string
      detail: string
    }
  }
  audit_append: {
    params: { row: string }
    row: {
      id: bigint
    }
  }
  audit_archive_partition: {
    params: { entry: Jsonb }
    row: {
      audit_archive_partition: string | null
    }
  }
  audit_archived_leaves: {
    params: { number: bigint }
    row: {
      archive: string
      xid: string
      id: bigint
      row_hash: Buffer
    }
  }
  audit_archives: {
    params: Record<string, never>
    row: {
      name: string
      starts_at: Date | null
      ends_at: Date
      row_count: bigint
      first_id: bigint | null
      last_id: bigint | null
      first_block: bigint | null
      last_block: bigint | null
      whole_blocks: Json
      partial_blocks: Json
      merkle_root: Buffer
      sha256: Buffer
      key_id: string
      created_at: Date
      record_hash: Buffer
      signature: Buffer
      public_key: Buffer
    }
  }
  audit_begin_era: {
    params: { era: number; first_id: bigint }
    row: Record<string, never>
  }
  audit_block_of_row: {
    params: { xid: string; id: bigint }
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
    params: { after: bigint; limit: number }
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
  audit_count_rows_of_partition: {
    params: { starts_at: Date | null; ends_at: Date }
    row: {
      count: bigint
    }
  }
  audit_end_alarms: {
    params: Record<string, never>
    row: Record<string, never>
  }
  audit_eras: {
    params: Record<string, never>
    row: {
      era: number
      first_id: bigint
    }
  }
  audit_export_archived_to: {
    params: Record<string, never>
    row: {
      last_id: bigint | null
    }
  }
  audit_export_blocks: {
    params: { ids: readonly (bigint | null)[]; xids: readonly (string | null)[] }
    row: {
      row_id: bigint
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
  audit_export_rows: {
    params: { customer_id: CustomerId; after: bigint; below_id: bigint; first_id: bigint; to_xid: string; to_id: bigint; limit: number }
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: ApiKeyId | null
      customer_id: CustomerId | null
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
  audit_free_id: {
    params: { above: bigint }
    row: {
      id: bigint
    }
  }
  audit_head_state: {
    params: { noted_number: bigint }
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
    params: Record<string, never>
    row: Record<string, never>
  }
  audit_id_is_archived: {
    params: { id: bigint }
    row: {
      archived: boolean
    }
  }
  audit_insert_block: {
    params: { number: bigint; era: number; first_id: bigint; highest_id: bigint; from_xid: string; from_id: bigint; to_xid: string; to_id: bigint; row_count: number; merkle_root: Buffer; previous_hash: Buffer; key_id: string; created_at: Date; block_hash: Buffer; signature: Buffer; public_key: Buffer }
    row: Record<string, never>
  }
  audit_insert_restoration: {
    params: { number: bigint; era: number; first_id: bigint; previous_number: bigint; previous_hash: Buffer; lost_number: bigint; lost_hash: Buffer; reason: string; key_id: string; created_at: Date; record_hash: Buffer; signature: Buffer; public_key: Buffer }
    row: Record<string, never>
  }
  audit_link_at: {
    params: { number: bigint }
    row: {
      kind: string
      number: bigint
      hash: Buffer
      era: number
      created_at: Date
    }
  }
  audit_new_era_start: {
    params: { highest_id: bigint; newest_xid: string }
    row: {
      first_id: bigint
    }
  }
  audit_newest_block: {
    params: Record<string, never>
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
  audit_next_row_of_partition: {
    params: { starts_at: Date | null; ends_at: Date; after_xid: string; after_id: bigint; first_id: bigint; below_id: bigint }
    row: {
      xid: string
      id: bigint
    }
  }
  audit_of_customer: {
    params: { customer_id: CustomerId; before: bigint | null; limit: number }
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: ApiKeyId | null
      customer_id: CustomerId | null
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
    params: { entry_points: readonly (string | null)[]; customer_id: CustomerId; action: string; before: bigint | null; limit: number }
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: ApiKeyId | null
      customer_id: CustomerId | null
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
    params: { customer_id: CustomerId; entry_point: string; before: bigint | null; limit: number }
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: ApiKeyId | null
      customer_id: CustomerId | null
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
    params: { customer_id: CustomerId; domain: DomainName; action: string | null; from: Date | null; to: Date | null; before: bigint | null; limit: number }
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: ApiKeyId | null
      customer_id: CustomerId | null
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
    params: { customer_id: CustomerId; before: bigint | null; limit: number }
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: ApiKeyId | null
      customer_id: CustomerId | null
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
    params: { before: bigint | null; to: Date | null; customer_id: CustomerId; action: string; from: Date | null; limit: number }
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: ApiKeyId | null
      customer_id: CustomerId | null
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
    params: { before: bigint | null; to: Date | null; customer_id: CustomerId; from: Date | null; limit: number }
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: ApiKeyId | null
      customer_id: CustomerId | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
    }
  }
  audit_partitions: {
    params: Record<string, never>
    row: {
      name: string
      starts_at: Date | null
      ends_at: Date
      may: boolean
    }
  }
  audit_raise_alarm: {
    params: { subject: string; stops_sealing: boolean; detail: string; lasts_ms: number }
    row: {
      fresh: boolean
    }
  }
  audit_repair_eras: {
    params: Record<string, never>
    row: Record<string, never>
  }
  audit_restorations: {
    params: Record<string, never>
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
    params: { customer_id: CustomerId; id: bigint }
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: ApiKeyId | null
      customer_id: CustomerId | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
    }
  }
  audit_row_of_order: {
    params: { customer_id: CustomerId; domain: DomainName; id: string; result: string; at: Date }
    row: {
      id: bigint
      row_hash: Buffer
    }
  }
  audit_row_position: {
    params: { id: bigint }
    row: {
      xid: string
      row_hash: Buffer
    }
  }
  audit_rows_in_order: {
    params: { after_xid: string; after_id: bigint; first_id: bigint; below_id: bigint; to_xid: string; to_id: bigint; limit: number }
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: ApiKeyId | null
      customer_id: CustomerId | null
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
  audit_rows_to_read: {
    params: { after_xid: string; after_id: bigint; first_id: bigint; below_id: bigint; era_closed: boolean; limit: number }
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: ApiKeyId | null
      customer_id: CustomerId | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
      xid: string
    }
  }
  audit_rows_to_seal: {
    params: { after_xid: string; after_id: bigint; first_id: bigint; below_id: bigint; era_closed: boolean; limit: number }
    row: {
      id: bigint
      xid: string
      row_hash: Buffer
    }
  }
  audit_window_of_customer: {
    params: { window: number; before: bigint | null; to: Date | null; customer_id: CustomerId; action: string | null; entry_point: string | null; actor_type: string | null; actor_label: string | null; api_key_id: ApiKeyId | null; from: Date | null; limit: number }
    row: {
      id: bigint
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      agent_identifier: string
      api_key_id: ApiKeyId | null
      customer_id: CustomerId | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
      metadata: Json
      created_at: Date
      matches: boolean
      ends_window: boolean
    }
  }
  bookkeeping_customer_accounts: {
    params: { after_customer: string; after_currency: string; limit: bigint }
    row: {
      customer_id: CustomerId
      currency: string
      available: bigint
      held: bigint
      owed: bigint
      sum_available: string
      sum_held: string
      sum_reserved: string
      reserved: bigint
    }
  }
  bookkeeping_evidence_sums: {
    params: Record<string, never>
    row: {
      code: string
      currency: string
      amount: string
    }
  }
  bookkeeping_last_transfer: {
    params: Record<string, never>
    row: {
      id: bigint
    }
  }
  bookkeeping_own_accounts: {
    params: Record<string, never>
    row: {
      id: bigint
      code: string
      currency: string
    }
  }
  bookkeeping_transfer_bounds: {
    params: { from: Date; to: Date }
    row: {
      first_id: bigint
      last_id: bigint
    }
  }
  bookkeeping_transfer_sums: {
    params: { after: bigint; up_to: bigint; before: Date | null }
    row: {
      currency: string
      phase: string
      debit_account: bigint | null
      credit_account: bigint | null
      amount: string
    }
  }
  bookkeeping_transfers_after: {
    params: { after: bigint; up_to: bigint; limit: bigint }
    row: {
      id: TransferId
      created_at: Date
      debit_account: bigint
      credit_account: bigint
      customer_id: CustomerId | null
      currency: string
      amount: bigint
      phase: string
      code: string
      pending_id: bigint | null
      description: string
      domain: DomainName | null
      operation_id: OrderId | null
      checkout_id: CheckoutId | null
      invoice_id: InvoiceId | null
      payment_id: PaymentId | null
      reversal_id: string | null
      adjustment_id: string | null
    }
  }
  card_checkouts_claim_reading: {
    params: { id: CheckoutId; within_ms: number }
    row: {
      id: CheckoutId
    }
  }
  card_checkouts_count_open: {
    params: { customer_id: CustomerId }
    row: {
      open: bigint
    }
  }
  card_checkouts_dismiss: {
    params: { id: CheckoutId }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      currency: string
      amount_cents: bigint
      status: string
      session_id: string | null
      session_url: string | null
      return_url: string
      payment_id: PaymentId | null
      expires_at: Date
      created_at: Date
      updated_at: Date
    }
  }
  card_checkouts_insert: {
    params: { id: CheckoutId; customer_id: CustomerId; currency: string; amount_cents: bigint; return_url: string; expires_at: Date; created_at: Date }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      currency: string
      amount_cents: bigint
      status: string
      session_id: string | null
      session_url: string | null
      return_url: string
      payment_id: PaymentId | null
      expires_at: Date
      created_at: Date
      updated_at: Date
    }
  }
  card_checkouts_lock: {
    params: { session_id: string }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      currency: string
      amount_cents: bigint
      status: string
      session_id: string | null
      session_url: string | null
      return_url: string
      payment_id: PaymentId | null
      expires_at: Date
      created_at: Date
      updated_at: Date
    }
  }
  card_checkouts_move: {
    params: { status: string; parked_reason: string | null; payment_id: PaymentId | null; id: CheckoutId; from: readonly (string | null)[] }
    row: {
      id: CheckoutId
    }
  }
  card_checkouts_of_customer: {
    params: { customer_id: CustomerId; before: string | null; limit: bigint }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      currency: string
      amount_cents: bigint
      status: string
      session_id: string | null
      session_url: string | null
      return_url: string
      payment_id: PaymentId | null
      expires_at: Date
      created_at: Date
      updated_at: Date
    }
  }
  card_checkouts_of_customer_id: {
    params: { customer_id: CustomerId; id: CheckoutId }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      currency: string
      amount_cents: bigint
      status: string
      session_id: string | null
      session_url: string | null
      return_url: string
      payment_id: PaymentId | null
      expires_at: Date
      created_at: Date
      updated_at: Date
    }
  }
  card_checkouts_of_id: {
    params: { id: CheckoutId }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      currency: string
      amount_cents: bigint
      status: string
      session_id: string | null
      session_url: string | null
      return_url: string
      payment_id: PaymentId | null
      expires_at: Date
      created_at: Date
      updated_at: Date
    }
  }
  card_checkouts_of_session: {
    params: { session_id: string }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      currency: string
      amount_cents: bigint
      status: string
      session_id: string | null
      session_url: string | null
      return_url: string
      payment_id: PaymentId | null
      expires_at: Date
      created_at: Date
      updated_at: Date
    }
  }
  card_checkouts_parked: {
    params: { after: string; limit: bigint }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      currency: string
      amount_cents: bigint
      status: string
      session_id: string | null
      session_url: string | null
      return_url: string
      payment_id: PaymentId | null
      expires_at: Date
      created_at: Date
      updated_at: Date
      parked_reason: string
    }
  }
  card_checkouts_put_session: {
    params: { session_id: string; session_url: string | null; id: CheckoutId }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      currency: string
      amount_cents: bigint
      status: string
      session_id: string | null
      session_url: string | null
      return_url: string
      payment_id: PaymentId | null
      expires_at: Date
      created_at: Date
      updated_at: Date
    }
  }
  card_payments_of_session: {
    params: { session_id: string }
    row: {
      id: PaymentId
    }
  }
  card_readings_apply: {
    params: { reading: bigint; parked_cents: bigint; payment_id: PaymentId }
    row: {
      was_parked: bigint
    }
  }
  card_readings_begin: {
    params: { payment_intent: string }
    row: {
      reading: bigint
      id: PaymentId
      customer_id: CustomerId
      currency: string
      amount: bigint
      created_at: Date
    }
  }
  card_readings_lock_parked: {
    params: { payment_id: PaymentId }
    row: {
      customer_id: CustomerId
      currency: string
      amount: bigint
      parked_cents: bigint
      settled_cents: bigint
    }
  }
  card_readings_parked: {
    params: { after: string; limit: bigint }
    row: {
      payment_id: PaymentId
      customer_id: CustomerId
      currency: string
      amount: bigint
      parked_cents: bigint
      settled_cents: bigint
    }
  }
  card_readings_settle: {
    params: { payment_id: PaymentId }
    row: Record<string, never>
  }
  card_reversals_of_payment: {
    params: { payment_id: PaymentId }
    row: {
      id: string
      taken: bigint
    }
  }
  checkout_payments_checkout: {
    params: { id: PaymentId }
    row: {
      checkout_id: CheckoutId
    }
  }
  checkout_payments_known: {
    params: { now: Date; limit: bigint; gateway: string }
    row: {
      id: PaymentId
      reference: string
      asset: string
      network: string
      transaction_id: string
      amount: string
      at: Date
      block_number: bigint | null
      block_hash: string | null
      is_credited: boolean
      is_gone: boolean
    }
  }
  checkout_payments_known_of: {
    params: { checkout_ids: readonly (string | null)[]; now: Date }
    row: {
      id: PaymentId
      reference: string
      asset: string
      network: string
      transaction_id: string
      amount: string
      at: Date
      block_number: bigint | null
      block_hash: string | null
      is_credited: boolean
      is_gone: boolean
    }
  }
  checkout_payments_of_checkouts: {
    params: { checkout_ids: readonly (string | null)[] }
    row: {
      id: PaymentId
      checkout_id: CheckoutId
      asset: string
      network: string
      decimals: number | null
      transaction_id: string
      amount: string
      state: string
      confirmations: number
      value_currency: string | null
      value_cents: bigint | null
      withheld: string | null
      at: Date
      treatment: string
      reason: string | null
      credited: bigint
      taken: bigint
      quoted_amount: string
      rate_units: string | null
      rate_cents: string | null
      reversals: number
      gone_readings: number
      received_units: string | null
    }
  }
  checkout_payments_of_transactions: {
    params: { checkout_ids: readonly (string | null)[]; transaction_ids: readonly (string | null)[] }
    row: {
      id: PaymentId
      checkout_id: CheckoutId
      asset: string
      network: string
      transaction_id: string
      amount: string
    }
  }
  checkout_payments_park_changed: {
    params: { payments: Jsonb; ids: readonly (string | null)[] }
    row: {
      id: PaymentId
      checkout_id: CheckoutId
    }
  }
  checkout_payments_parked: {
    params: { after: string; limit: bigint }
    row: {
      id: PaymentId
      checkout_id: CheckoutId
      asset: string
      network: string
      decimals: number | null
      transaction_id: string
      amount: string
      state: string
      confirmations: number
      value_currency: string | null
      value_cents: bigint | null
      withheld: string | null
      at: Date
      treatment: string
      reason: string | null
      credited: bigint
      taken: bigint
      quoted_amount: string
      rate_units: string | null
      rate_cents: string | null
      reversals: number
      gone_readings: number
      received_units: string | null
      customer_id: CustomerId
      currency: string
      created_at: Date
    }
  }
  checkout_payments_seen_units: {
    params: { checkout_ids: readonly (string | null)[] }
    row: {
      checkout_id: CheckoutId
      asset: string
      network: string
      units: string
    }
  }
  checkout_payments_store: {
    params: { observed_at: Date; payments: Jsonb; apart_ms: number }
    row: {
      id: PaymentId
      checkout_id: CheckoutId
      is_going: boolean
      gone_readings: number
    }
  }
  checkout_payments_store_rate: {
    params: { units: string; cents: string; id: PaymentId }
    row: Record<string, never>
  }
  checkout_payments_store_received: {
    params: { units: string; id: PaymentId }
    row: Record<string, never>
  }
  checkout_payments_store_treatment: {
    params: { treatment: string; reason: string | null; credited: bigint; taken: bigint; quoted_amount: string; reversals: number; watched_until: Date; id: PaymentId }
    row: Record<string, never>
  }
  checkouts_by_id: {
    params: { id: CheckoutId }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      gateway: string
      amount: bigint
      currency: string
      status: string
      expires_at: Date
      started_at: Date | null
      asset: string | null
      network: string | null
      decimals: number | null
      is_pegged: boolean | null
      required_confirmations: number | null
      reference: string | null
      pay_address: string | null
      pay_amount: string | null
      payment_uri: string | null
      page_url: string | null
      quote_units: string | null
      quote_cents: string | null
      watched_until: Date | null
      created_at: Date
      updated_at: Date
    }
  }
  checkouts_claim_compared: {
    params: { now: Date; gateway: string; limit: bigint }
    row: {
      id: CheckoutId
      reference: string
      asset: string
      network: string
      pay_address: string
      started_at: Date
    }
  }
  checkouts_claim_watched: {
    params: { now: Date; every_s: number; gateway: string; limit: bigint }
    row: {
      id: CheckoutId
      reference: string
      asset: string
      network: string
      pay_address: string
    }
  }
  checkouts_compare_again: {
    params: { ids: readonly (string | null)[] }
    row: Record<string, never>
  }
  checkouts_compared_one: {
    params: { id: CheckoutId; gateway: string; now: Date }
    row: {
      id: CheckoutId
      reference: string
      asset: string
      network: string
      pay_address: string
      started_at: Date
    }
  }
  checkouts_insert: {
    params: { id: CheckoutId; customer_id: CustomerId; gateway: string; amount: bigint; currency: string; expires_at: Date; most_open: number }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      gateway: string
      amount: bigint
      currency: string
      status: string
      expires_at: Date
      started_at: Date | null
      asset: string | null
      network: string | null
      decimals: number | null
      is_pegged: boolean | null
      required_confirmations: number | null
      reference: string | null
      pay_address: string | null
      pay_amount: string | null
      payment_uri: string | null
      page_url: string | null
      quote_units: string | null
      quote_cents: string | null
      watched_until: Date | null
      created_at: Date
      updated_at: Date
    }
  }
  checkouts_lock: {
    params: { id: CheckoutId }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      gateway: string
      amount: bigint
      currency: string
      status: string
      expires_at: Date
      started_at: Date | null
      asset: string | null
      network: string | null
      decimals: number | null
      is_pegged: boolean | null
      required_confirmations: number | null
      reference: string | null
      pay_address: string | null
      pay_amount: string | null
      payment_uri: string | null
      page_url: string | null
      quote_units: string | null
      quote_cents: string | null
      watched_until: Date | null
      created_at: Date
      updated_at: Date
    }
  }
  checkouts_lock_of_references: {
    params: { gateway: string; references: readonly (string | null)[] }
    row: {
      id: CheckoutId
      reference: string
      asset: string
      network: string
      decimals: number
    }
  }
  checkouts_lock_owner: {
    params: { customer_id: CustomerId }
    row: {
      id: CustomerId
    }
  }
  checkouts_observe_no_later_than: {
    params: { at: Date; id: CheckoutId; gateway: string }
    row: Record<string, never>
  }
  checkouts_of_customer: {
    params: { customer_id: CustomerId; before: string; limit: bigint }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      gateway: string
      amount: bigint
      currency: string
      status: string
      expires_at: Date
      started_at: Date | null
      asset: string | null
      network: string | null
      decimals: number | null
      is_pegged: boolean | null
      required_confirmations: number | null
      reference: string | null
      pay_address: string | null
      pay_amount: string | null
      payment_uri: string | null
      page_url: string | null
      quote_units: string | null
      quote_cents: string | null
      watched_until: Date | null
      created_at: Date
      updated_at: Date
    }
  }
  checkouts_of_id: {
    params: { id: CheckoutId; customer_id: CustomerId }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      gateway: string
      amount: bigint
      currency: string
      status: string
      expires_at: Date
      started_at: Date | null
      asset: string | null
      network: string | null
      decimals: number | null
      is_pegged: boolean | null
      required_confirmations: number | null
      reference: string | null
      pay_address: string | null
      pay_amount: string | null
      payment_uri: string | null
      page_url: string | null
      quote_units: string | null
      quote_cents: string | null
      watched_until: Date | null
      created_at: Date
      updated_at: Date
    }
  }
  checkouts_of_reference: {
    params: { gateway: string; reference: string }
    row: {
      id: CheckoutId
      customer_id: CustomerId
    }
  }
  checkouts_of_status: {
    params: { customer_id: CustomerId; status: string; before: string; limit: bigint }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      gateway: string
      amount: bigint
      currency: string
      status: string
      expires_at: Date
      started_at: Date | null
      asset: string | null
      network: string | null
      decimals: number | null
      is_pegged: boolean | null
      required_confirmations: number | null
      reference: string | null
      pay_address: string | null
      pay_amount: string | null
      payment_uri: string | null
      page_url: string | null
      quote_units: string | null
      quote_cents: string | null
      watched_until: Date | null
      created_at: Date
      updated_at: Date
    }
  }
  checkouts_open: {
    params: { customer_id: CustomerId; before: string; limit: bigint }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      gateway: string
      amount: bigint
      currency: string
      status: string
      expires_at: Date
      started_at: Date | null
      asset: string | null
      network: string | null
      decimals: number | null
      is_pegged: boolean | null
      required_confirmations: number | null
      reference: string | null
      pay_address: string | null
      pay_amount: string | null
      payment_uri: string | null
      page_url: string | null
      quote_units: string | null
      quote_cents: string | null
      watched_until: Date | null
      created_at: Date
      updated_at: Date
    }
  }
  checkouts_settle_later: {
    params: { settle_at: Date; ids: readonly (string | null)[] }
    row: Record<string, never>
  }
  checkouts_start: {
    params: { now: Date; expires_at: Date; watched_until: Date; look_at: Date | null; asset: string; network: string; decimals: number; is_pegged: boolean; required_confirmations: number; reference: string; pay_address: string; pay_amount: string; payment_uri: string; page_url: string | null; quote_units: string; quote_cents: string; id: CheckoutId }
    row: {
      id: CheckoutId
      customer_id: CustomerId
      gateway: string
      amount: bigint
      currency: string
      status: string
      expires_at: Date
      started_at: Date | null
      asset: string | null
      network: string | null
      decimals: number | null
      is_pegged: boolean | null
      required_confirmations: number | null
      reference: string | null
      pay_address: string | null
      pay_amount: string | null
      payment_uri: string | null
      page_url: string | null
      quote_units: string | null
      quote_cents: string | null
      watched_until: Date | null
      created_at: Date
      updated_at: Date
    }
  }
  checkouts_store_reported: {
    params: { transaction_id: string; now: Date; id: CheckoutId }
    row: Record<string, never>
  }
  checkouts_store_status: {
    params: { status: string; settle_at: Date | null; id: CheckoutId }
    row: Record<string, never>
  }
  checkouts_to_settle: {
    params: { now: Date; limit: bigint }
    row: {
      id: CheckoutId
      ends_unpaid: boolean
    }
  }
  checkouts_watched: {
    params: { now: Date; gateway: string }
    row: {
      id: CheckoutId
      reference: string
      asset: string
      network: string
      pay_address: string
      reported: string[]
    }
  }
  checkouts_watched_one: {
    params: { id: CheckoutId; gateway: string }
    row: {
      id: CheckoutId
      reference: string
      asset: string
      network: string
      pay_address: string
      reported: string[]
      thorough: boolean
    }
  }
  contacts_at_registry: {
    params: { registry: string; customer_id: CustomerId; id: bigint }
    row: {
      id: bigint
      customer_id: CustomerId
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
    params: { default_registrant: boolean; default_admin: boolean; default_technical: boolean; default_billing: boolean; updated_at: Date; customer_id: CustomerId; except_id: bigint | null }
    row: Record<string, never>
  }
  contacts_count: {
    params: { customer_id: CustomerId; limit: number }
    row: {
      made: bigint
    }
  }
  contacts_default_registrant: {
    params: { customer_id: CustomerId }
    row: {
      id: bigint
    }
  }
  contacts_delete: {
    params: { customer_id: CustomerId; id: bigint }
    row: {
      handle: string
    }
  }
  contacts_domain_of_registrant: {
    params: { customer_id: CustomerId; contact_id: bigint }
    row: {
      name: DomainName
      protected: boolean
    }
  }
  contacts_first: {
    params: { customer_id: CustomerId }
    row: {
      id: bigint
      handle: string
    }
  }
  contacts_free_handle: {
    params: { handles: readonly (string | null)[]; customer_id: CustomerId }
    row: {
      handle: string
    }
  }
  contacts_insert: {
    params: { customer_id: CustomerId; handle: string; name: string; email: string; company_name: string | null; address: string; address_line_2: string | null; city: string; state: string; country: string; zip: string; phone_country_code: string; phone_number: string; default_registrant: boolean; default_admin: boolean; default_technical: boolean; default_billing: boolean; now: Date }
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
      customer_id: CustomerId
      version: bigint
      created_at: Date
      updated_at: Date
    }
  }
  contacts_notify_changed: {
    params: { id: string }
    row: {
      notified: string | null
    }
  }
  contacts_of_customer: {
    params: { customer_id: CustomerId; after: bigint; limit: number }
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
      customer_id: CustomerId
      version: bigint
      created_at: Date
      updated_at: Date
    }
  }
  contacts_of_id: {
    params: { customer_id: CustomerId; id: bigint }
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
      customer_id: CustomerId
      version: bigint
      created_at: Date
      updated_at: Date
    }
  }
  contacts_owned: {
    params: { handle: string | null; customer_id: CustomerId; ids: readonly (bigint | null)[] }
    row: {
      id: bigint
      by_handle: boolean | null
    }
  }
  contacts_owner: {
    params: { id: bigint }
    row: {
      customer_id: CustomerId
    }
  }
  contacts_update: {
    params: { name: string; email: string; company_name: string | null; address: string; address_line_2: string | null; city: string; state: string; country: string; zip: string; phone_country_code: string; phone_number: string; default_registrant: boolean; default_admin: boolean; default_technical: boolean; default_billing: boolean; updated_at: Date; changed: boolean; customer_id: CustomerId; id: bigint }
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
      customer_id: CustomerId
      version: bigint
      created_at: Date
      updated_at: Date
    }
  }
  customer_tool_api_keys: {
    params: { now: Date; customer_id: CustomerId; limit: bigint }
    row: {
      id: ApiKeyId
      key_prefix: string
      name: string | null
      scopes: string[]
      created_at: Date
      last_used_at: Date | null
      expires_at: Date | null
      revoked_at: Date | null
      active: number
    }
  }
  customer_tool_apps: {
    params: { customer_id: CustomerId; limit: bigint }
    row: {
      id: GrantId
      client_name: string
      redirect_host: string
      scopes: string[]
      created_at: Date
      last_used_at: Date | null
      open: number
    }
  }
  customer_tool_audit: {
    params: { customer_id: CustomerId; limit: bigint }
    row: {
      id: bigint
      created_at: Date
      entry_point: string
      action: string
      actor_type: string
      actor_label: string | null
      target_type: string | null
      target: string | null
      result: string
      status_code: number | null
      error_code: string | null
    }
  }
  customer_tool_balances: {
    params: { customer_id: CustomerId }
    row: {
      currency: string
      available: bigint
      held: bigint
      owed: bigint
      updated_at: Date
      reserved: bigint
    }
  }
  customer_tool_counts: {
    params: { customer_id: CustomerId }
    row: {
      contacts: number
      invoices: number
      open_top_ups: number
    }
  }
  customer_tool_customer: {
    params: { id: string }
    row: {
      id: CustomerId
      email: string
      email_verified: boolean
      name: string
      company_name: string | null
      status: string
      created_at: Date
      updated_at: Date
      default_nameservers: string[]
    }
  }
  customer_tool_holdings: {
    params: { now: Date; customer_id: CustomerId }
    row: {
      epp_statuses: string[]
      rgp_statuses: string[]
      is_past: boolean
      domains: number
      next_expiry: Date
    }
  }
  customer_tool_log_ins: {
    params: { customer_id: CustomerId; now: Date }
    row: {
      has_password: boolean
      passkeys: number
      identities: string[]
      last_log_in_at: Date | null
      last_used_at: Date | null
      open_sessions: number
    }
  }
  customer_tool_mails: {
    params: { recipient: string; limit: bigint }
    row: {
      id: string
      kind: string
      subject: string
      state: string
      created_at: Date
      ended_at: Date | null
    }
  }
  customer_tool_open_orders: {
    params: { customer_id: CustomerId; limit: bigint }
    row: {
      id: OrderId
      type: string
      domain: DomainName
      registry: string
      state: string
      currency: string
      amount: bigint
      attempts: number
      error_code: string | null
      alarm: string | null
      created_at: Date
      updated_at: Date
      open: number
      parked: number
    }
  }
  customer_tool_payments: {
    params: { customer_id: CustomerId; limit: bigint }
    row: {
      id: PaymentId
      currency: string
      amount: bigint
      account: string
      created_at: Date
    }
  }
  customer_tool_provider_clients: {
    params: { customer_id: CustomerId }
    row: {
      registry: string
      client_id: string
      state: string
      reconciled_at: Date | null
    }
  }
  customer_tool_search: {
    params: { status: string | null; q: string | null; limit: bigint; offset: bigint }
    row: {
      id: CustomerId
      email: string
      email_verified: boolean
      name: string
      company_name: string | null
      status: string
      created_at: Date
      updated_at: Date
    }
  }
  customer_tool_search_by_email: {
    params: { email: string; status: string | null; q: string | null; limit: bigint; offset: bigint }
    row: {
      id: CustomerId
      email: string
      email_verified: boolean
      name: string
      company_name: string | null
      status: string
      created_at: Date
      updated_at: Date
    }
  }
  customers_insert: {
    params: { id: CustomerId; email: string; email_verified: boolean; name: string; company_name: string | null; now: Date }
    row: {
      id: CustomerId
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
    params: { id: CustomerId }
    row: {
      id: CustomerId
    }
  }
  customers_lock_whole: {
    params: { id: CustomerId }
    row: {
      status: string
    }
  }
  customers_nameservers_of: {
    params: { id: CustomerId }
    row: {
      default_nameservers: string[]
    }
  }
  customers_of_id: {
    params: { id: CustomerId }
    row: {
      id: CustomerId
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
  customers_put_email: {
    params: { id: CustomerId; email: string; changed_at: Date }
    row: {
      changed: boolean
    }
  }
  customers_put_email_verified: {
    params: { updated_at: Date; id: CustomerId }
    row: Record<string, never>
  }
  customers_put_status: {
    params: { status: string; now: Date; id: CustomerId }
    row: Record<string, never>
  }
  customers_read_contents: {
    params: { id: CustomerId }
    row: {
      domains: bigint
      open_orders: bigint
      open_top_ups: bigint
      parked_payments: bigint
    }
  }
  customers_read_money: {
    params: { id: CustomerId }
    row: {
      currency: string
      available: bigint
      held: bigint
      owed: bigint
      reserved: bigint
    }
  }
  customers_update_default_nameservers: {
    params: { default_nameservers: readonly (string | null)[]; updated_at: Date; id: CustomerId }
    row: {
      default_nameservers: string[]
    }
  }
  customers_update_profile: {
    params: { name: string | null; updated_at: Date; sets_company_name: boolean; company_name: string | null; id: CustomerId }
    row: {
      id: CustomerId
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
    params: { email: string }
    row: {
      there: boolean
    }
  }
  db_ping: {
    params: Record<string, never>
    row: {
      now: Date
    }
  }
  deposit_paths_all: {
    params: Record<string, never>
    row: {
      branch: number
      address_index: number
    }
  }
  deposit_paths_of_checkout: {
    params: { checkout_id: CheckoutId }
    row: {
      branch: number
      address_index: number
    }
  }
  dns_changes_by_id: {
    params: { id: string; domain_id: bigint; customer_id: CustomerId }
    row: {
      id: string
      pos: bigint
      serial: bigint
      action: string
      actor_type: string
      actor_label: string | null
      entry_point: string
      reverts: string | null
      sets: Json
      created_at: Date
      state: string | null
      reverts_at: Date | null
      kept_because: string | null
      reverted_by: string | null
    }
  }
  dns_changes_list: {
    params: { domain_id: bigint; customer_id: CustomerId; before: bigint | null; limit: bigint; most_octets: bigint }
    row: {
      id: string
      pos: bigint
      serial: bigint
      action: string
      actor_type: string
      actor_label: string | null
      entry_point: string
      reverts: string | null
      sets: Json
      created_at: Date
      state: string | null
      reverts_at: Date | null
      kept_because: string | null
      reverted_by: string | null
      looked: bigint
    }
  }
  dns_changes_purge: {
    params: { before: Date; limit: bigint }
    row: Record<string, never>
  }
  dns_changes_put_sets: {
    params: { sets: Jsonb; change_id: string }
    row: Record<string, never>
  }
  dns_changes_store: {
    params: { id: string; domain_id: bigint; customer_id: CustomerId; serial: bigint; action: string; actor_type: string; actor_label: string | null; entry_point: string; reverts: string | null; sets: Jsonb }
    row: Record<string, never>
  }
  dns_changes_trim_holding: {
    params: { domain_id: bigint; customer_id: CustomerId; most: number; most_octets: bigint }
    row: {
      trimmed: string | null
    }
  }
  dns_confirmations_end: {
    params: { state: string; kept_because: string | null; change_id: string; from: readonly (string | null)[] }
    row: {
      reverts_at: Date
    }
  }
  dns_confirmations_of_change: {
    params: { change_id: string }
    row: {
      change_id: string
      domain_id: bigint
      state: string
      reverts_at: Date
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      session_id: bigint | null
      protected_since: boolean
      created_at: Date
      sets: Json
      domain: DomainName
      customer_id: CustomerId
    }
  }
  dns_confirmations_open: {
    params: { domain_id: bigint }
    row: {
      change_id: string
      state: string
      reverts_at: Date
      kept_because: string | null
      sets: Json
      actor_type: string
      actor_label: string | null
    }
  }
  dns_confirmations_owner: {
    params: { since: Date; domain: DomainName; customer_id: CustomerId }
    row: {
      suspended: boolean
      new_password: boolean
      protected: boolean
    }
  }
  dns_confirmations_store: {
    params: { change_id: string; domain_id: bigint; reverts_at: Date; api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null; session_id: bigint | null }
    row: Record<string, never>
  }
  dns_records_list_sets: {
    params: { id: bigint; customer_id: CustomerId }
    row: {
      host: string
      type: number
      ttl: number
      rdata: Buffer[]
      updated_at: Date
    }
  }
  dns_records_put_sets: {
    params: { domain_id: bigint; sets: Jsonb }
    row: {
      put: string | null
    }
  }
  dns_records_read_head: {
    params: { id: bigint; customer_id: CustomerId }
    row: {
      domain_id: bigint
      serial: bigint
      hosted: boolean
    }
  }
  dns_records_read_sets: {
    params: { id: bigint; customer_id: CustomerId }
    row: {
      host: string
      type: number
      ttl: number
      rdata: Buffer[]
    }
  }
  dns_records_touch_serial: {
    params: { domain_id: bigint }
    row: {
      serial: bigint
    }
  }
  dns_scan_addresses_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  dns_scans_begin: {
    params: { customer_id: CustomerId; token: string; lease_s: number; window_s: number; most: number }
    row: {
      customer_id: CustomerId
    }
  }
  dns_scans_end: {
    params: { counts: boolean; customer_id: CustomerId; token: string }
    row: Record<string, never>
  }
  dns_scans_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  dns_scans_refused: {
    params: { most: number; window_s: number; customer_id: CustomerId }
    row: {
      under_way: boolean
      wait_s: number | null
    }
  }
  dns_scans_reserve_slots: {
    params: { address: string; slots: number; slot_ms: number }
    row: {
      wait_ms: number
    }
  }
  dns_signed_requests_answer: {
    params: { rcode: number; tsig_key_id: string; mac: Buffer }
    row: {
      rcode: number
    }
  }
  dns_signed_requests_claim: {
    params: { tsig_key_id: string; mac: Buffer; expires_at: Date }
    row: Record<string, never>
  }
  dns_signed_requests_earlier: {
    params: { tsig_key_id: string; mac: Buffer }
    row: {
      rcode: number | null
    }
  }
  dns_signed_requests_purge: {
    params: { now: Date; limit: bigint }
    row: Record<string, never>
  }
  document_keys_insert: {
    params: { kid: string; public_jwk: Jsonb; sealed: string }
    row: Record<string, never>
  }
  document_keys_lock: {
    params: Record<string, never>
    row: {
      locked: string | null
    }
  }
  document_keys_published: {
    params: Record<string, never>
    row: {
      kid: string
      public_jwk: Json
      sealed: string | null
      created_at: Date
    }
  }
  document_keys_read_sealed_key: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  document_keys_reseal_key: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  document_keys_retire: {
    params: Record<string, never>
    row: Record<string, never>
  }
  document_keys_withdraw: {
    params: Record<string, never>
    row: Record<string, never>
  }
  domain_changes_claim: {
    params: { domain: DomainName; token: string; lease_ms: number }
    row: {
      domain: DomainName
    }
  }
  domain_changes_end: {
    params: { domain: DomainName; token: string }
    row: Record<string, never>
  }
  domain_changes_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  domains_after: {
    params: { after: bigint; limit: bigint }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_auth_code_of: {
    params: { id: bigint; customer_id: CustomerId }
    row: {
      hash: string | null
      sealed: string | null
      sent_sealed: string | null
      expires_at: Date | null
    }
  }
  domains_auto_renew_by: {
    params: { id: bigint }
    row: {
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
    }
  }
  domains_by_name: {
    params: { customer_id: CustomerId; name: DomainName }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_by_registrar: {
    params: { name: DomainName }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_claim_auto_renewals: {
    params: { registry: string; now: Date; limit: bigint; soon_at: Date; later_at: Date }
    row: {
      is_due: boolean
      has_order: boolean
      currency: string | null
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_claim_due: {
    params: { registry: string; now: Date; limit: bigint; sync_at: Date }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_claim_unrenewed: {
    params: { registry: string; expired_by: Date; limit: bigint; again_at: Date; later_at: Date }
    row: {
      is_due: boolean
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_code_still_expired: {
    params: { id: bigint; auth_code_unset_at: Date }
    row: {
      id: bigint
    }
  }
  domains_drop_next_tries: {
    params: { ids: readonly (bigint | null)[] }
    row: Record<string, never>
  }
  domains_drop_sent_auth_code: {
    params: { auth_code_sent_sealed: string | null; id: bigint; customer_id: CustomerId }
    row: {
      id: bigint
    }
  }
  domains_drop_wanted_nameservers: {
    params: { id: bigint }
    row: {
      id: bigint
    }
  }
  domains_end: {
    params: { end_reason: string; id: bigint; customer_id: CustomerId }
    row: {
      id: bigint
    }
  }
  domains_enqueue_sync: {
    params: { registry: string; now: Date; most: number }
    row: {
      enqueued: number
    }
  }
  domains_expected: {
    params: { domain: DomainName }
    row: {
      expected: boolean
    }
  }
  domains_expected_names: {
    params: { names: readonly (string | null)[] }
    row: {
      name: string
      held: boolean
      open_order: string | null
    }
  }
  domains_expired_code: {
    params: { id: bigint; now: Date }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
      unset_at: Date
    }
  }
  domains_held_by_registrar: {
    params: { name: DomainName }
    row: {
      held: boolean
    }
  }
  domains_held_since: {
    params: { name: DomainName }
    row: {
      registered_at: Date
    }
  }
  domains_holder_of_name: {
    params: { name: DomainName }
    row: {
      customer_id: CustomerId
    }
  }
  domains_keep_auth_code: {
    params: { auth_code_hash: string; auth_code_expires_at: Date; auth_code_sealed: string; id: bigint; customer_id: CustomerId }
    row: {
      id: bigint
    }
  }
  domains_last_of_name: {
    params: { customer_id: CustomerId; name: DomainName }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_lock: {
    params: { id: bigint }
    row: {
      id: bigint
    }
  }
  domains_make_sync_due: {
    params: { name: DomainName; sync_at: Date }
    row: Record<string, never>
  }
  domains_mark_deleting: {
    params: { deletion_at: Date; id: bigint; expiry: Date }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_mark_hold: {
    params: { lift_hold_at: Date; id: bigint }
    row: {
      id: bigint
    }
  }
  domains_mark_missing: {
    params: { missing_since: Date; id: bigint; customer_id: CustomerId; sync_at: Date }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_note_deletion: {
    params: { deleted_at: Date; id: bigint }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_note_deletion_of: {
    params: { deleted_at: Date; name: DomainName }
    row: Record<string, never>
  }
  domains_note_transfer_out: {
    params: { transfer_out: Jsonb | null; name: DomainName }
    row: {
      customer_id: CustomerId
    }
  }
  domains_of_customer: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_of_round: {
    params: { registry: string; after_slot: number; after_id: bigint; last_slot: number; last_id: bigint; read_by: Date }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_plan_auth_code: {
    params: { auth_code_sent_sealed: string; auth_code_unset_at: Date; id: bigint; customer_id: CustomerId }
    row: {
      id: bigint
    }
  }
  domains_postpone_sync: {
    params: { sync_at: Date; ids: readonly (bigint | null)[] }
    row: Record<string, never>
  }
  domains_purge_auth_code: {
    params: { id: bigint; auth_code_unset_at: Date }
    row: Record<string, never>
  }
  domains_purge_hold: {
    params: { id: bigint }
    row: {
      id: bigint
    }
  }
  domains_purge_wanted: {
    params: { id: bigint; customer_id: CustomerId }
    row: Record<string, never>
  }
  domains_put_off_next_try: {
    params: { next_at: Date; id: bigint }
    row: Record<string, never>
  }
  domains_read_sealed_code: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  domains_read_sealed_sent_code: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  domains_refresh: {
    params: { batch: Jsonb }
    row: {
      id: bigint
      name: string
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_refresh_one: {
    params: { reading: Jsonb; id: bigint }
    row: {
      id: bigint
      name: string
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_registries: {
    params: Record<string, never>
    row: {
      registry: string
    }
  }
  domains_renewed_on_hold: {
    params: { id: bigint; now: Date }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_reseal_code: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  domains_reseal_sent_code: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  domains_runway: {
    params: { customer_id: CustomerId }
    row: {
      name: DomainName
      expiry: Date
      auto_renew: boolean
      from_reserve: boolean
      is_renewable: boolean
      currency: string | null
      fee_amount: string | null
      fee_currency: string | null
      fee_type: string | null
      fee_years: number | null
    }
  }
  domains_schedule_sync: {
    params: { sync_at: Date; id: bigint; customer_id: CustomerId }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_set_auto_renew: {
    params: { auto_renew: boolean; api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null; id: bigint; customer_id: CustomerId }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_set_from_reserve: {
    params: { from_reserve: boolean; customer_id: CustomerId; name: DomainName }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_set_protected: {
    params: { is_protected: boolean; customer_id: CustomerId; name: DomainName }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_summary: {
    params: { customer_id: CustomerId }
    row: {
      name: DomainName
      expiry: Date
      auto_renew: boolean
      from_reserve: boolean
      is_renewable: boolean
      currency: string | null
      fee_amount: string | null
      fee_currency: string | null
      fee_type: string | null
      fee_years: number | null
      registry_expiry: Date
      epp_statuses: string[]
      rgp_statuses: string[]
      transfer_out: Json | null
      order_type: string | null
      order_state: string | null
    }
  }
  domains_to_delegate: {
    params: { id: bigint }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
      ordered: Json | null
      transferred: boolean | null
    }
  }
  domains_transferred_in: {
    params: { id: bigint }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_unmark_deleting: {
    params: { id: bigint; delete_at: Date }
    row: Record<string, never>
  }
  domains_unrenewed_by_ledger: {
    params: { id: bigint; expired_by: Date }
    row: {
      unrenewed: boolean
    }
  }
  domains_visible_of_customer: {
    params: { customer_id: CustomerId; after: string; visible: readonly (string | null)[]; limit: bigint }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      registry: string
      expiry: Date
      registry_expiry: Date
      nameservers: string[]
      period_years: number
      epp_statuses: string[]
      rgp_statuses: string[]
      locked: boolean
      auto_renew: boolean
      contacts: Json
      protected: boolean
      from_reserve: boolean
      registered_at: Date
      created_at: Date
      updated_at: Date
      deletion_at: Date | null
      deleted_at: Date | null
      missing_since: Date | null
      transfer_out: Json | null
      wanted_nameservers: string[] | null
      lift_hold_at: Date | null
      auth_code_expires_at: Date | null
      ended_at: Date | null
      end_reason: string | null
      synced_at: Date | null
    }
  }
  domains_year_facts: {
    params: { id: bigint; customer_id: CustomerId; domain: DomainName; since: Date }
    row: {
      open: boolean
      restored: boolean
      given_back: number
      expiry: Date | null
    }
  }
  email_changes_end: {
    params: { now: Date; customer_id: CustomerId }
    row: Record<string, never>
  }
  email_changes_insert: {
    params: { id: string; customer_id: CustomerId; email: string; token_hash: Buffer; now: Date; expires_at: Date }
    row: Record<string, never>
  }
  email_changes_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  email_changes_use: {
    params: { now: Date; token_hash: Buffer; customer_id: CustomerId }
    row: {
      id: string
      email: string
    }
  }
  events_after: {
    params: { customer_id: CustomerId; after: bigint; limit: number }
    row: {
      id: string
      pos: bigint
      customer_id: CustomerId
      type: string
      audit_log_id: bigint
      subject_type: string
      subject_id: string
      data: Json
      created_at: Date
    }
  }
  events_behind: {
    params: Record<string, never>
    row: {
      behind: boolean
    }
  }
  events_insert: {
    params: { events: Jsonb }
    row: Record<string, never>
  }
  events_lock_cursor: {
    params: Record<string, never>
    row: {
      era: number
      xid: string
      id: bigint
      pos: bigint
    }
  }
  events_move_cursor: {
    params: { era: number; xid: string; id: bigint; pos: bigint }
    row: Record<string, never>
  }
  events_notify: {
    params: { customers: string }
    row: {
      notified: string | null
    }
  }
  events_of_types_after: {
    params: { types: readonly (string | null)[]; customer_id: CustomerId; after: bigint; limit: number }
    row: {
      id: string
      pos: bigint
      customer_id: CustomerId
      type: string
      audit_log_id: bigint
      subject_type: string
      subject_id: string
      data: Json
      created_at: Date
    }
  }
  events_orders: {
    params: { ids: readonly (string | null)[] }
    row: {
      id: OrderId
      type: string
      currency: string
      amount: bigint
    }
  }
  events_purge: {
    params: { before: Date; limit: number }
    row: {
      purged: bigint
    }
  }
  events_range: {
    params: Record<string, never>
    row: {
      newest: bigint
      purged: bigint
    }
  }
  expiry_notices_due: {
    params: { kind: string; expires_after: Date; expires_by: Date; after_at: string; after_id: bigint; limit: bigint }
    row: {
      id: bigint
      name: DomainName
      customer_id: CustomerId
      expiry: Date
      auto_renew: boolean
      due: boolean
      looked: number
      at: string
      currency: string | null
    }
  }
  expiry_notices_note: {
    params: { kind: string; domain_id: bigint; expiry: Date; auto_renew: boolean | null }
    row: {
      domain_id: bigint
    }
  }
  expiry_notices_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  exports_api_keys: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: string
    }
  }
  exports_approvals: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: ApprovalId
    }
  }
  exports_audit_logs: {
    params: { customer_id: CustomerId; before: bigint; limit: bigint }
    row: {
      id: bigint
      row: Json
    }
  }
  exports_balances: {
    params: { customer_id: CustomerId }
    row: {
      row: Json
    }
  }
  exports_connected_apps: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: GrantId
    }
  }
  exports_contacts: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: string
    }
  }
  exports_dns_changes: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: string
    }
  }
  exports_domains: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: string
    }
  }
  exports_invoices: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: string
    }
  }
  exports_ledger_transfers: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: string
    }
  }
  exports_limits: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: string
    }
  }
  exports_log_ins: {
    params: { customer_id: CustomerId }
    row: {
      row: Json
    }
  }
  exports_nameserver_confirmations: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: string
    }
  }
  exports_orders: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: string
    }
  }
  exports_push_subscriptions: {
    params: { customer_id: CustomerId }
    row: {
      row: Json
    }
  }
  exports_support_messages: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: string
    }
  }
  exports_tsig_keys: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      row: Json
      key: string
    }
  }
  exports_webhooks: {
    params: { customer_id: CustomerId }
    row: {
      row: Json
    }
  }
  gateway_cursors_read: {
    params: { gateway: string }
    row: {
      cursor: string | null
      version: bigint
      observed_at: Date
    }
  }
  gateway_cursors_store: {
    params: { gateway: string; cursor: string | null; version: bigint; observed_at: Date }
    row: Record<string, never>
  }
  idempotency_keys_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  inspection_columns: {
    params: { oid: number }
    row: {
      name: string
      type: string
      nullable: boolean
      description: string | null
      hidden: boolean
      sortable: boolean
      key_position: number | null
    }
  }
  inspection_indexes: {
    params: { oid: number }
    row: {
      name: string
      is_unique: boolean
      is_primary: boolean
      columns: string[]
      condition: string | null
    }
  }
  inspection_schemas: {
    params: Record<string, never>
    row: {
      name: string
      description: string | null
      tables: number
    }
  }
  inspection_table: {
    params: { schema: string; name: string }
    row: {
      oid: number
      name: string
      kind: string
      estimated_rows: bigint | null
      description: string | null
      partitions: number | null
    }
  }
  inspection_tables: {
    params: { schema: string }
    row: {
      name: string
      kind: string
      estimated_rows: bigint | null
      description: string | null
      shown_columns: number
      hidden_columns: number
    }
  }
  invoices_issue: {
    params: { customer_id: CustomerId; currency: string; facts: Jsonb; items: Jsonb }
    row: {
      id: bigint
    }
  }
  invoices_items: {
    params: { ids: readonly (bigint | null)[] }
    row: {
      id: bigint
      invoice_id: InvoiceId
      description: string
      quantity: number
      unit_amount: string
      total_amount: string
    }
  }
  invoices_mark_paid: {
    params: { processor_checkout_session_id: string | null; processor_payment_intent_id: string | null; customer_id: CustomerId; id: InvoiceId }
    row: Record<string, never>
  }
  invoices_of_customer: {
    params: { customer_id: CustomerId; before: bigint | null; limit: bigint }
    row: {
      id: InvoiceId
      customer_id: CustomerId
      kind: string
      invoice_number: string
      status: string
      currency: string
      subtotal_amount: string
      tax_amount: string
      total_amount: string
      notes: string | null
      credited_invoice_id: bigint | null
      processor_checkout_session_id: string | null
      processor_payment_intent_id: string | null
      seller_name: string | null
      seller_address: string | null
      seller_tax_id: string | null
      buyer_name: string
      buyer_company: string | null
      buyer_email: string
      buyer_address: string | null
      buyer_country: string | null
      issued_at: Date
      due_at: Date | null
      paid_at: Date | null
      voided_at: Date | null
      updated_at: Date
    }
  }
  invoices_of_id: {
    params: { customer_id: CustomerId; id: InvoiceId }
    row: {
      id: InvoiceId
      customer_id: CustomerId
      kind: string
      invoice_number: string
      status: string
      currency: string
      subtotal_amount: string
      tax_amount: string
      total_amount: string
      notes: string | null
      credited_invoice_id: bigint | null
      processor_checkout_session_id: string | null
      processor_payment_intent_id: string | null
      seller_name: string | null
      seller_address: string | null
      seller_tax_id: string | null
      buyer_name: string
      buyer_company: string | null
      buyer_email: string
      buyer_address: string | null
      buyer_country: string | null
      issued_at: Date
      due_at: Date | null
      paid_at: Date | null
      voided_at: Date | null
      updated_at: Date
    }
  }
  invoices_of_payment: {
    params: { customer_id: CustomerId; payment_id: PaymentId }
    row: {
      id: InvoiceId
    }
  }
  invoices_payment_of: {
    params: { customer_id: CustomerId; id: InvoiceId }
    row: {
      payment_id: PaymentId | null
    }
  }
  jobs_claim: {
    params: { lease_ms: number; name: string; woken: boolean }
    row: {
      token: bigint | null
      wait_ms: number
    }
  }
  jobs_delete_heartbeat: {
    params: { node_id: string }
    row: Record<string, never>
  }
  jobs_finish: {
    params: { in_ms: number; last_error: string | null; name: string; lease_token: bigint }
    row: {
      name: string
    }
  }
  jobs_purge_schedules: {
    params: { names: readonly (string | null)[] }
    row: Record<string, never>
  }
  jobs_put_schedules: {
    params: { names: readonly (string | null)[]; every_ms: readonly (number | null)[] }
    row: Record<string, never>
  }
  jobs_read_failing: {
    params: { within_ms: number }
    row: {
      name: string
      failures: number
      overdue: boolean
    }
  }
  jobs_read_heartbeats: {
    params: { within_ms: number }
    row: {
      nodes: bigint
      newest_age_ms: number | null
    }
  }
  jobs_renew_lease: {
    params: { lease_ms: number; name: string; lease_token: bigint }
    row: {
      lease_token: bigint
    }
  }
  jobs_send_heartbeat: {
    params: { node_id: string; job_problems: Jsonb }
    row: Record<string, never>
  }
  ledger_adjust: {
    params: { id: string; customer_id: CustomerId; currency: string; amount: bigint; kind: string; operation_id: OrderId | null; reason: string }
    row: {
      transfer_id: TransferId
    }
  }
  ledger_adjustments_lock: {
    params: { keys: readonly (string | null)[] }
    row: {
      pg_advisory_xact_lock: string | null
    }
  }
  ledger_adjustments_of_id: {
    params: { id: string }
    row: {
      kind: string
      customer_id: CustomerId
      currency: string
      amount: bigint
      operation_id: OrderId | null
      transfer_id: TransferId
    }
  }
  ledger_balance_before: {
    params: { customer_id: CustomerId; currency: string; moment: Date }
    row: {
      last_id: bigint
      balance: bigint
    }
  }
  ledger_balance_of: {
    params: { customer_id: CustomerId; currency: string }
    row: {
      customer_id: CustomerId | null
      currency: string | null
      available: bigint
      held: bigint
      owed: bigint
      updated_at: Date | null
      reserved: bigint
    }
  }
  ledger_counted_entries: {
    params: { customer_id: CustomerId; currency: string; after: bigint; up_to: bigint; limit: bigint }
    row: {
      id: bigint
      type: string
      amount: bigint
      currency: string
      available_after: bigint
      held_after: bigint
      description: string
      domain: DomainName | null
      operation_id: OrderId | null
      checkout_id: CheckoutId | null
      invoice_id: InvoiceId | null
      created_at: Date
    }
  }
  ledger_debts_of: {
    params: { customer_id: CustomerId }
    row: {
      currency: string
      owed: bigint
    }
  }
  ledger_entries_of: {
    params: { customer_id: CustomerId; before: bigint | null; limit: bigint }
    row: {
      id: bigint
      type: string
      amount: bigint
      currency: string
      available_after: bigint
      held_after: bigint
      description: string
      domain: DomainName | null
      operation_id: OrderId | null
      checkout_id: CheckoutId | null
      invoice_id: InvoiceId | null
      created_at: Date
    }
  }
  ledger_entries_of_currency: {
    params: { customer_id: CustomerId; currency: string; before: bigint | null; limit: bigint }
    row: {
      id: bigint
      type: string
      amount: bigint
      currency: string
      available_after: bigint
      held_after: bigint
      description: string
      domain: DomainName | null
      operation_id: OrderId | null
      checkout_id: CheckoutId | null
      invoice_id: InvoiceId | null
      created_at: Date
    }
  }
  ledger_last_check: {
    params: Record<string, never>
    row: {
      finished_at: Date
      sound: boolean
    }
  }
  ledger_owed_before: {
    params: { customer_id: CustomerId; currency: string; moment: Date; last_id: bigint }
    row: {
      owed: bigint
    }
  }
  ledger_set_reserve: {
    params: { customer_id: CustomerId; currency: string; amount: bigint }
    row: {
      outcome: string
      available: bigint
    }
  }
  ledger_store_check: {
    params: { began_at: Date; sound: boolean; differing: number }
    row: Record<string, never>
  }
  ledger_transfers_of_order: {
    params: { order_id: OrderId }
    row: {
      id: bigint
      phase: string
    }
  }
  limits_against: {
    params: { amount: bigint; currency: string; approved: boolean; api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null }
    row: {
      id: bigint
      api_key_id: ApiKeyId | null
      oauth_client_id: string | null
      spend_amount: bigint | null
      spend_currency: string | null
      spend_window: string | null
      spent: bigint
      price_amount: bigint | null
      price_currency: string | null
      approval_amount: bigint | null
      approval_currency: string | null
      outside_allowed: string | null
      allowed_tlds: string[] | null
      allowed_domains: string[] | null
      allowed_ips: string[] | null
      dns_hosts: string[] | null
      dns_types: number[] | null
      dns_in_person: boolean | null
      key_name: string | null
      expires_at: Date | null
      client_name: string | null
      refused: string | null
    }
  }
  limits_insert: {
    params: { customer_id: CustomerId; api_key_id: ApiKeyId | null; oauth_client_id: string | null; spend_amount: bigint | null; spend_currency: string | null; spend_window: string | null; price_amount: bigint | null; price_currency: string | null; approval_amount: bigint | null; approval_currency: string | null; outside_allowed: string | null; allowed_tlds: readonly (string | null)[] | null; allowed_domains: readonly (string | null)[] | null; allowed_ips: readonly (string | null)[] | null; dns_hosts: readonly (string | null)[] | null; dns_types: readonly (number | null)[] | null; dns_in_person: boolean | null; now: Date }
    row: {
      id: bigint
    }
  }
  limits_lock: {
    params: { customer_id: CustomerId }
    row: {
      locked: string | null
    }
  }
  limits_may_still_buy: {
    params: { api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null }
    row: {
      may: boolean
    }
  }
  limits_of_apps: {
    params: { customer_id: CustomerId; ids: readonly (string | null)[] }
    row: {
      id: bigint
      api_key_id: ApiKeyId | null
      oauth_client_id: string | null
      spend_amount: bigint | null
      spend_currency: string | null
      spend_window: string | null
      spent: bigint
      price_amount: bigint | null
      price_currency: string | null
      approval_amount: bigint | null
      approval_currency: string | null
      outside_allowed: string | null
      allowed_tlds: string[] | null
      allowed_domains: string[] | null
      allowed_ips: string[] | null
      dns_hosts: string[] | null
      dns_types: number[] | null
      dns_in_person: boolean | null
      key_name: string | null
      expires_at: Date | null
      client_name: string | null
    }
  }
  limits_of_caller: {
    params: { api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null }
    row: {
      id: bigint
      api_key_id: ApiKeyId | null
      oauth_client_id: string | null
      spend_amount: bigint | null
      spend_currency: string | null
      spend_window: string | null
      spent: bigint
      price_amount: bigint | null
      price_currency: string | null
      approval_amount: bigint | null
      approval_currency: string | null
      outside_allowed: string | null
      allowed_tlds: string[] | null
      allowed_domains: string[] | null
      allowed_ips: string[] | null
      dns_hosts: string[] | null
      dns_types: number[] | null
      dns_in_person: boolean | null
      key_name: string | null
      expires_at: Date | null
      client_name: string | null
    }
  }
  limits_of_customer: {
    params: { customer_id: CustomerId }
    row: {
      id: bigint
      api_key_id: ApiKeyId | null
      oauth_client_id: string | null
      spend_amount: bigint | null
      spend_currency: string | null
      spend_window: string | null
      spent: bigint
      price_amount: bigint | null
      price_currency: string | null
      approval_amount: bigint | null
      approval_currency: string | null
      outside_allowed: string | null
      allowed_tlds: string[] | null
      allowed_domains: string[] | null
      allowed_ips: string[] | null
      dns_hosts: string[] | null
      dns_types: number[] | null
      dns_in_person: boolean | null
      key_name: string | null
      expires_at: Date | null
      client_name: string | null
    }
  }
  limits_of_keys: {
    params: { customer_id: CustomerId; ids: readonly (bigint | null)[] }
    row: {
      id: bigint
      api_key_id: ApiKeyId | null
      oauth_client_id: string | null
      spend_amount: bigint | null
      spend_currency: string | null
      spend_window: string | null
      spent: bigint
      price_amount: bigint | null
      price_currency: string | null
      approval_amount: bigint | null
      approval_currency: string | null
      outside_allowed: string | null
      allowed_tlds: string[] | null
      allowed_domains: string[] | null
      allowed_ips: string[] | null
      dns_hosts: string[] | null
      dns_types: number[] | null
      dns_in_person: boolean | null
      key_name: string | null
      expires_at: Date | null
      client_name: string | null
    }
  }
  limits_of_one: {
    params: { customer_id: CustomerId; api_key_id: ApiKeyId | null; oauth_client_id: string | null }
    row: {
      id: bigint
      api_key_id: ApiKeyId | null
      oauth_client_id: string | null
      spend_amount: bigint | null
      spend_currency: string | null
      spend_window: string | null
      spent: bigint
      price_amount: bigint | null
      price_currency: string | null
      approval_amount: bigint | null
      approval_currency: string | null
      outside_allowed: string | null
      allowed_tlds: string[] | null
      allowed_domains: string[] | null
      allowed_ips: string[] | null
      dns_hosts: string[] | null
      dns_types: number[] | null
      dns_in_person: boolean | null
      key_name: string | null
      expires_at: Date | null
      client_name: string | null
    }
  }
  limits_recount: {
    params: { id: bigint }
    row: {
      counted: string | null
    }
  }
  limits_update: {
    params: { spend_amount: bigint | null; spend_currency: string | null; spend_window: string | null; price_amount: bigint | null; price_currency: string | null; approval_amount: bigint | null; approval_currency: string | null; outside_allowed: string | null; allowed_tlds: readonly (string | null)[] | null; allowed_domains: readonly (string | null)[] | null; allowed_ips: readonly (string | null)[] | null; dns_hosts: readonly (string | null)[] | null; dns_types: readonly (number | null)[] | null; dns_in_person: boolean | null; now: Date; id: bigint }
    row: Record<string, never>
  }
  mailbox_mail: {
    params: { id: string; is_operator: boolean; requests: readonly (string | null)[]; customer_id: CustomerId | null }
    row: {
      id: string
      kind: string
      recipient: string
      subject: string
      sent_at: Date
    }
  }
  mailbox_of_all: {
    params: { limit: number }
    row: {
      id: string
      kind: string
      recipient: string
      subject: string
      sent_at: Date
    }
  }
  mailbox_of_browser: {
    params: { requests: readonly (string | null)[]; limit: number; customer_id: CustomerId | null }
    row: {
      id: string
      kind: string
      recipient: string
      subject: string
      sent_at: Date
    }
  }
  mails_addressee: {
    params: { id: string }
    row: {
      email: string
      name: string
    }
  }
  mails_by_id: {
    params: { id: string }
    row: {
      state: string
      text: boolean
    }
  }
  mails_insert: {
    params: { id: string; dedupe_key: string; customer_id: CustomerId | null; kind: string; recipient: string; subject: string; body: string; html: string | null; sealed: boolean; request_id: string | null }
    row: Record<string, never>
  }
  mails_list_failed: {
    params: { before: string; limit: number }
    row: {
      id: string
      customer_id: CustomerId | null
      kind: string
      recipient: string
      subject: string
      created_at: Date
      ended_at: Date
      text: boolean
      last_error: string | null
    }
  }
  mails_mark_failed: {
    params: { id: string }
    row: Record<string, never>
  }
  mails_mark_sent: {
    params: { id: string }
    row: Record<string, never>
  }
  mails_outbox: {
    params: Record<string, never>
    row: {
      waiting: bigint
      late_s: number
      held_up: bigint
      failed: bigint
    }
  }
  mails_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  mails_purge_bodies: {
    params: { days: number; limit: number }
    row: Record<string, never>
  }
  mails_read_queued: {
    params: { id: string }
    row: {
      kind: string
      customer_id: CustomerId | null
      recipient: string
      subject: string
      body: string
      html: string | null
      sealed: boolean
      created_at: Date
    }
  }
  mails_read_sealed_body: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  mails_read_sealed_html: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  mails_requeue: {
    params: { id: string }
    row: Record<string, never>
  }
  mails_reseal_body: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  mails_reseal_html: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  mcp_client_names_keep: {
    params: { principal: string; user_agent: Buffer; name: string }
    row: Record<string, never>
  }
  mcp_client_names_of: {
    params: { principal: string; user_agent: Buffer }
    row: {
      name: string
    }
  }
  mcp_client_names_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  metrics_audit: {
    params: Record<string, never>
    row: {
      head: bigint | null
      head_s: number | null
      unsealed_s: number | null
      alarms: bigint
    }
  }
  metrics_claim_snapshot: {
    params: { every_ms: number }
    row: {
      claimed_at: Date
    }
  }
  metrics_dead_tasks: {
    params: { most: bigint }
    row: {
      kind: string
      tasks: bigint
    }
  }
  metrics_due_tasks: {
    params: { most: bigint }
    row: {
      kind: string
      tasks: bigint
      late_s: number
    }
  }
  metrics_failed_mails: {
    params: { most: bigint }
    row: {
      mails: bigint
    }
  }
  metrics_gateways: {
    params: Record<string, never>
    row: {
      gateway: string
      age_s: number
    }
  }
  metrics_jobs: {
    params: Record<string, never>
    row: {
      name: string
      every_ms: number
      failures: number
      success_s: number | null
      late_s: number
    }
  }
  metrics_ledger_check: {
    params: Record<string, never>
    row: {
      sound: boolean
      differing: number
      age_s: number
      took_s: number
    }
  }
  metrics_node_jobs: {
    params: Record<string, never>
    row: {
      name: string
      failures: number
      overdue: boolean
    }
  }
  metrics_nodes: {
    params: Record<string, never>
    row: {
      nodes: bigint
    }
  }
  metrics_open_orders: {
    params: { most: bigint }
    row: {
      state: string
      currency: string
      orders: bigint
      alarms: bigint
      amount: bigint
      oldest_s: number
    }
  }
  metrics_parked_payments: {
    params: { most: bigint }
    row: {
      gateway: bigint
      card: bigint
      card_reversals: bigint
    }
  }
  metrics_read_snapshot: {
    params: Record<string, never>
    row: {
      samples: Json
      age_s: number
    }
  }
  metrics_registry_sessions: {
    params: Record<string, never>
    row: {
      registry: string
      sessions: bigint
    }
  }
  metrics_store_snapshot: {
    params: { samples: Jsonb }
    row: Record<string, never>
  }
  nameserver_confirmations_by_id: {
    params: { change_id: string }
    row: {
      change_id: string
      domain_id: bigint
      customer_id: CustomerId
      state: string
      reverts_at: Date
      before_nameservers: string[]
      before_glue: Json
      after_nameservers: string[]
      after_glue: Json
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      session_id: bigint | null
      actor_type: string
      actor_label: string | null
      protected_since: boolean
      locked_since: boolean
      going_back_since: Date | null
      kept_because: string | null
      created_at: Date
      domain: DomainName
    }
  }
  nameserver_confirmations_drop: {
    params: { change_id: string }
    row: Record<string, never>
  }
  nameserver_confirmations_end: {
    params: { state: string; kept_because: string | null; change_id: string; from: readonly (string | null)[]; also_going_back: boolean }
    row: {
      reverts_at: Date
    }
  }
  nameserver_confirmations_go_back: {
    params: { change_id: string }
    row: {
      protected_since: boolean
      locked_since: boolean
    }
  }
  nameserver_confirmations_note_lock: {
    params: { domain_id: bigint }
    row: Record<string, never>
  }
  nameserver_confirmations_purge: {
    params: { before: Date; limit: bigint }
    row: Record<string, never>
  }
  nameserver_confirmations_store: {
    params: { change_id: string; domain_id: bigint; customer_id: CustomerId; before_nameservers: readonly (string | null)[]; before_glue: Jsonb; after_nameservers: readonly (string | null)[]; after_glue: Jsonb; reverts_at: Date; api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null; session_id: bigint | null; actor_type: string; actor_label: string | null }
    row: Record<string, never>
  }
  nameserver_confirmations_undecided: {
    params: { domain_id: bigint }
    row: {
      change_id: string
      domain_id: bigint
      customer_id: CustomerId
      state: string
      reverts_at: Date
      before_nameservers: string[]
      before_glue: Json
      after_nameservers: string[]
      after_glue: Json
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      session_id: bigint | null
      actor_type: string
      actor_label: string | null
      protected_since: boolean
      locked_since: boolean
      going_back_since: Date | null
      kept_because: string | null
      created_at: Date
      domain: DomainName
    }
  }
  oauth_account_claims: {
    params: { id: string }
    row: {
      sub: CustomerId
      name: string
      email: string
      email_verified: boolean
    }
  }
  oauth_browser_login_end: {
    params: { ended_at: Date; oauth_uid: string }
    row: Record<string, never>
  }
  oauth_browser_login_find: {
    params: { oauth_uid: string; now: Date }
    row: {
      id: bigint
      signed_in_at: Date
    }
  }
  oauth_clients_count_unused: {
    params: { limit: number }
    row: {
      unused: number
    }
  }
  oauth_clients_delete_unused: {
    params: { client_ids: readonly (string | null)[] }
    row: Record<string, never>
  }
  oauth_clients_keep: {
    params: { client_id: string; id_hash: Buffer; payload: Jsonb; registered_by: string }
    row: Record<string, never>
  }
  oauth_clients_lock_unused: {
    params: { age_s: number; address_quota: number; surplus_age_s: number; limit: number }
    row: {
      client_id: string | null
    }
  }
  oauth_documents_keep: {
    params: { client_id: string; fields: Jsonb; etag: string | null; read_at: Date; fresh_until: Date }
    row: Record<string, never>
  }
  oauth_documents_purge: {
    params: { before: Date; keep: number; limit: number }
    row: Record<string, never>
  }
  oauth_documents_read: {
    params: { client_id: string; fresh_after: Date }
    row: {
      fields: Json
      etag: string | null
      read_at: Date
      fresh_until: Date
    }
  }
  oauth_documents_remove: {
    params: { client_id: string; read_at: Date }
    row: Record<string, never>
  }
  oauth_grants_end: {
    params: { end_reason: string | null; id: GrantId }
    row: Record<string, never>
  }
  oauth_grants_end_unused: {
    params: { limit: number }
    row: Record<string, never>
  }
  oauth_grants_ended_of_id: {
    params: { id: GrantId }
    row: {
      id: GrantId
      customer_id: CustomerId
      client_id: string
      client_name: string
      end_reason: string | null
      moment: string
      apps: string[]
    }
  }
  oauth_grants_flush_uses: {
    params: { ids: readonly (string | null)[]; times: readonly (Date | null)[] }
    row: Record<string, never>
  }
  oauth_grants_hold_of_model: {
    params: { model: string; id_hash: Buffer }
    row: {
      id: GrantId
    }
  }
  oauth_grants_insert: {
    params: { id: GrantId; customer_id: CustomerId; client_id: string; client_name: string; redirect_host: string; scopes: readonly (string | null)[]; resource: string; created_at: Date; interaction_hash: Buffer }
    row: {
      id: GrantId
    }
  }
  oauth_grants_is_connected: {
    params: { customer_id: CustomerId; client_id: string }
    row: {
      connected: boolean
    }
  }
  oauth_grants_of_client_exist: {
    params: { client_id: string }
    row: {
      consented: boolean
    }
  }
  oauth_grants_of_customer: {
    params: { customer_id: CustomerId; after: string | null; limit: number }
    row: {
      id: GrantId
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
    params: { customer_id: CustomerId; id: GrantId }
    row: {
      id: GrantId
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
    params: { interaction_hash: Buffer }
    row: {
      id: GrantId
      customer_id: CustomerId
      scopes: string[]
    }
  }
  oauth_grants_purge: {
    params: { days: number; limit: number }
    row: {
      looked_at: number
    }
  }
  oauth_grants_resume: {
    params: { id: GrantId; oauth_uid: string }
    row: {
      may: boolean
    }
  }
  oauth_grants_revoke: {
    params: { revoked_at: Date; customer_id: CustomerId; id: GrantId }
    row: Record<string, never>
  }
  oauth_grants_revoke_empty: {
    params: { now: Date; grant_ids: readonly (string | null)[]; service_scopes: readonly (string | null)[] }
    row: Record<string, never>
  }
  oauth_grants_scopes_of_app: {
    params: { customer_id: CustomerId; client_id: string }
    row: {
      scopes: string[]
    }
  }
  oauth_grants_set_session: {
    params: { session_id: bigint; id: GrantId }
    row: Record<string, never>
  }
  oauth_grants_withdraw: {
    params: { scopes: readonly (string | null)[]; customer_id: CustomerId; client_id: string; except_id: string }
    row: {
      id: GrantId
      scopes: string[]
    }
  }
  oauth_lock_open_account: {
    params: { id: string }
    row: {
      id: CustomerId
    }
  }
  oauth_lock_password: {
    params: { customer_id: CustomerId }
    row: {
      changed_at: Date
    }
  }
  oauth_lock_session: {
    params: { id: bigint }
    row: {
      id: bigint
    }
  }
  oauth_models_access_of_hash: {
    params: { id_hash: Buffer; audiences: readonly (string | null)[] }
    row: {
      expires_at: Date
      scope: string | null
      grant_id: GrantId
      customer_id: CustomerId
      client_id: string
      client_name: string
      scopes: string[]
      suspended: boolean
      limits: Json | null
    }
  }
  oauth_models_answer_of_token: {
    params: { id_hash: Buffer }
    row: {
      sealed: string
    }
  }
  oauth_models_consume: {
    params: { model: string; id_hash: Buffer }
    row: {
      at: string
    }
  }
  oauth_models_consumed_at: {
    params: { model: string; id_hash: Buffer }
    row: {
      at: string | null
    }
  }
  oauth_models_destroy: {
    params: { model: string; id_hash: Buffer }
    row: {
      notified: string | null
    }
  }
  oauth_models_destroy_of_grant: {
    params: { grant_id: GrantId }
    row: Record<string, never>
  }
  oauth_models_grant_of: {
    params: { model: string; id_hash: Buffer }
    row: {
      grant_id: GrantId | null
    }
  }
  oauth_models_keep_answer: {
    params: { sealed: string; successor: Buffer; kept_s: number; id_hash: Buffer }
    row: Record<string, never>
  }
  oauth_models_note_poll: {
    params: { interval_s: number; now_ms: bigint; leeway_ms: bigint; id_hash: Buffer }
    row: {
      early: boolean
    }
  }
  oauth_models_of_id: {
    params: { model: string; id_hash: Buffer }
    row: {
      payload: Json
      consumed: bigint | null
    }
  }
  oauth_models_of_user_code: {
    params: { uid: string }
    row: {
      payload: Json
      id_hash: Buffer
      consumed: bigint | null
    }
  }
  oauth_models_purge: {
    params: { limit: bigint }
    row: Record<string, never>
  }
  oauth_models_put: {
    params: { model: string; id_hash: Buffer; payload: Jsonb; grant_id: GrantId | null; uid: string | null; client_id: string | null; account_id: string | null; expires_in_s: number | null }
    row: Record<string, never>
  }
  oauth_models_read_sealed_answer: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  oauth_models_read_sealed_ticket: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  oauth_models_refusal_of_hash: {
    params: { id_hash: Buffer }
    row: {
      expired: boolean
      audience: string | null
      revoked: boolean
      closed: boolean
    }
  }
  oauth_models_reseal_answer: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  oauth_models_reseal_ticket: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  oauth_models_session_of_uid: {
    params: { uid: string }
    row: {
      payload: Json
      id_hash: Buffer
    }
  }
  oauth_models_withdraw: {
    params: { scopes: readonly (string | null)[]; grant_ids: readonly (string | null)[] }
    row: Record<string, never>
  }
  oauth_owner_of_passkey: {
    params: { credential_id: Buffer }
    row: {
      customer_id: CustomerId
    }
  }
  oauth_proof_is_alive: {
    params: { begun_in: bigint | null; customer_id: CustomerId; now: Date; password_of: Date }
    row: {
      alive: boolean
    }
  }
  oauth_signing_keys_insert: {
    params: { kid: string; purpose: string; alg: string; sealed: string; signs_in_s: number }
    row: {
      notified: string | null
    }
  }
  oauth_signing_keys_lock: {
    params: Record<string, never>
    row: {
      locked: string | null
    }
  }
  oauth_signing_keys_published: {
    params: Record<string, never>
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
    params: Record<string, never>
    row: Record<string, never>
  }
  oauth_signing_keys_read_sealed_key: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  oauth_signing_keys_reseal_key: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  oauth_signing_keys_retire: {
    params: { signs_in_s: number; stays_s: number; alg: string }
    row: Record<string, never>
  }
  oauth_ways_to_log_in: {
    params: { customer_id: CustomerId }
    row: {
      has_password: boolean
      providers: string[]
    }
  }
  operator_keys_all: {
    params: Record<string, never>
    row: {
      id: bigint
      label: string
      key_prefix: string | null
      created_at: Date
      rotated_at: Date | null
      last_used_at: Date | null
      revoked_at: Date | null
    }
  }
  operator_keys_any: {
    params: Record<string, never>
    row: {
      found: boolean
    }
  }
  operator_keys_by_id: {
    params: { id: bigint }
    row: {
      id: bigint
      label: string
      key_prefix: string | null
      created_at: Date
      rotated_at: Date | null
      last_used_at: Date | null
      revoked_at: Date | null
    }
  }
  operator_keys_by_name: {
    params: { label: string }
    row: {
      id: bigint
    }
  }
  operator_keys_insert: {
    params: { key_hash: Buffer; key_prefix: string; label: string; created_at: Date; reserved: readonly (string | null)[] }
    row: {
      id: bigint
      label: string
      key_prefix: string | null
      created_at: Date
      rotated_at: Date | null
      last_used_at: Date | null
      revoked_at: Date | null
    }
  }
  operator_keys_insert_first: {
    params: { key_hash: Buffer; key_prefix: string; created_at: Date }
    row: {
      id: bigint
    }
  }
  operator_keys_lock_active: {
    params: Record<string, never>
    row: {
      id: bigint
    }
  }
  operator_keys_note_use: {
    params: { now: Date; id: bigint }
    row: Record<string, never>
  }
  operator_keys_of_hash: {
    params: { key_hash: Buffer }
    row: {
      id: bigint
      label: string
      last_used_at: Date | null
    }
  }
  operator_keys_put_environment: {
    params: { key_hash: Buffer; created_at: Date }
    row: Record<string, never>
  }
  operator_keys_replace_secret: {
    params: { key_hash: Buffer; key_prefix: string; now: Date; id: bigint }
    row: {
      id: bigint
      label: string
      key_prefix: string | null
      created_at: Date
      rotated_at: Date | null
      last_used_at: Date | null
      revoked_at: Date | null
    }
  }
  operator_keys_revoke: {
    params: { revoked_at: Date; id: bigint }
    row: Record<string, never>
  }
  operator_keys_revoke_environment: {
    params: { revoked_at: Date; key_hash: Buffer }
    row: Record<string, never>
  }
  operator_sessions_by_id: {
    params: { id: bigint }
    row: {
      created_at: Date
      last_used_at: Date
      expires_at: Date
    }
  }
  operator_sessions_end: {
    params: { ended_at: Date; id: bigint }
    row: Record<string, never>
  }
  operator_sessions_end_of_key: {
    params: { ended_at: Date; operator_key_id: bigint }
    row: Record<string, never>
  }
  operator_sessions_insert: {
    params: { key_hash: Buffer; token_hash: Buffer; now: Date; expires_at: Date; agent: string; address: string }
    row: {
      id: bigint
      operator_key_id: bigint
      label: string
    }
  }
  operator_sessions_note_use: {
    params: { now: Date; id: bigint }
    row: Record<string, never>
  }
  operator_sessions_of_hash: {
    params: { token_hash: Buffer }
    row: {
      id: bigint
      operator_key_id: bigint
      last_used_at: Date
      expires_at: Date
      label: string
    }
  }
  operator_sessions_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  operator_work_closed_with_money: {
    params: Record<string, never>
    row: {
      customer_id: CustomerId
      currency: string
      available: bigint
      held: bigint
    }
  }
  operator_work_count: {
    params: Record<string, never>
    row: {
      parked_orders: number
      alarmed_orders: number
      parked_payments: number
      parked_card_checkouts: number
      parked_card_reversals: number
      waiting_threads: number
      open_holds: number
      failed_mails: number
      dead_tasks: number
      failed_webhook_deliveries: number
    }
  }
  ordered_dns_records_drop: {
    params: { order_id: OrderId }
    row: Record<string, never>
  }
  ordered_dns_records_purge: {
    params: { before: Date; limit: bigint }
    row: Record<string, never>
  }
  ordered_dns_records_store: {
    params: { order_id: OrderId; customer_id: CustomerId; change_id: string; actor_type: string; actor_label: string | null; entry_point: string; sets: Jsonb }
    row: Record<string, never>
  }
  orders_account_defaults: {
    params: { customer_id: CustomerId }
    row: {
      nameservers: string[]
      registrant: bigint | null
      admin: bigint | null
      technical: bigint | null
      billing: bigint | null
    }
  }
  orders_begin_attempt: {
    params: { fingerprint: string; answered_codes: readonly (string | null)[]; id: OrderId; lease_token: string }
    row: {
      unanswered_at: Date | null
    }
  }
  orders_by_id: {
    params: { id: OrderId; customer_id: CustomerId }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
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
      api_key_id: ApiKeyId | null
      sealed: string | null
      traceparent: string | null
      quote_id: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_claim_due: {
    params: { lease_ms: number; lease_token: string; registry: string; limit: bigint }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
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
      api_key_id: ApiKeyId | null
      sealed: string | null
      traceparent: string | null
      quote_id: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_claim_transfer: {
    params: { lease_ms: number; lease_token: string; customer_id: CustomerId; domain: DomainName }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
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
      api_key_id: ApiKeyId | null
      sealed: string | null
      traceparent: string | null
      quote_id: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_contact_versions: {
    params: { customer_id: CustomerId; ids: readonly (bigint | null)[] }
    row: {
      id: bigint
      version: bigint
    }
  }
  orders_currency_of_domain: {
    params: { customer_id: CustomerId; domain: DomainName }
    row: {
      currency: string
    }
  }
  orders_due_registries: {
    params: Record<string, never>
    row: {
      registry: string
    }
  }
  orders_give_back: {
    params: { id: OrderId; lease_token: string }
    row: Record<string, never>
  }
  orders_last: {
    params: { customer_id: CustomerId; domain: DomainName }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
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
      api_key_id: ApiKeyId | null
      sealed: string | null
      traceparent: string | null
      quote_id: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_last_of_names: {
    params: { names: readonly (string | null)[]; customer_id: CustomerId }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
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
      api_key_id: ApiKeyId | null
      sealed: string | null
      traceparent: string | null
      quote_id: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_leave: {
    params: { state: string; in_ms: number; error_code: string | null; error_detail: string | null; alarm: string | null; id: OrderId; lease_token: string }
    row: {
      updated_at: Date
    }
  }
  orders_mark_notified: {
    params: { id: OrderId }
    row: {
      id: OrderId
    }
  }
  orders_name: {
    params: { customer_id: CustomerId; key: string; digest: string; order_id: OrderId }
    row: Record<string, never>
  }
  orders_of_anyone_by_id: {
    params: { id: OrderId }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
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
      api_key_id: ApiKeyId | null
      sealed: string | null
      traceparent: string | null
      quote_id: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
      held: boolean
    }
  }
  orders_of_key: {
    params: { customer_id: CustomerId; key: string }
    row: {
      order_id: OrderId
      key_digest: string
    }
  }
  orders_open: {
    params: { domain: DomainName; customer_id: CustomerId }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
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
      api_key_id: ApiKeyId | null
      sealed: string | null
      traceparent: string | null
      quote_id: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_open_holds: {
    params: { after: string; limit: number }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
      registry: string
      state: string
      currency: string
      amount: bigint
      attempts: number
      alarm: string | null
      created_at: Date
    }
  }
  orders_open_of_customer: {
    params: { customer_id: CustomerId }
    row: {
      domain: DomainName
      type: string
      state: string
      closed_at: Date | null
    }
  }
  orders_open_purchases_of_customer: {
    params: { customer_id: CustomerId; after: string; limit: bigint }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
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
      api_key_id: ApiKeyId | null
      sealed: string | null
      traceparent: string | null
      quote_id: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_parked: {
    params: { with_alarms: boolean; after: string; limit: number }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
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
      api_key_id: ApiKeyId | null
      sealed: string | null
      traceparent: string | null
      quote_id: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_place: {
    params: { batch: Jsonb }
    row: {
      i: number
      outcome: string
      order_id: OrderId | null
      available: bigint | null
    }
  }
  orders_prior_state: {
    params: { customer_id: CustomerId; domain: DomainName; key: string | null }
    row: {
      key_digest: string | null
      answer: Json | null
      key_order: OrderId | null
      key_type: string | null
      running: boolean | null
      open_order: OrderId | null
      holding: bigint | null
    }
  }
  orders_read_sealed_code: {
    params: { after: string; limit: number }
    row: {
      key: OrderId
      sealed: string | null
    }
  }
  orders_recent_renewal: {
    params: { customer_id: CustomerId; domain: DomainName; digest: string; since: Date }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
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
      api_key_id: ApiKeyId | null
      sealed: string | null
      traceparent: string | null
      quote_id: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_release_lease: {
    params: { id: OrderId; lease_token: string }
    row: Record<string, never>
  }
  orders_reseal_code: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  orders_restored_since: {
    params: { customer_id: CustomerId; domain: DomainName; except_id: string; since: Date }
    row: {
      restored: boolean
    }
  }
  orders_result: {
    params: { id: OrderId }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
      state: string
      currency: string
      amount: bigint
      error_detail: string | null
      was_answered: boolean
      expiry: Date | null
    }
  }
  orders_set_alarm: {
    params: { alarm: string; id: OrderId; lease_token: string }
    row: Record<string, never>
  }
  orders_settle: {
    params: { batch: Jsonb }
    row: {
      i: number
      outcome: string
      state: string
    }
  }
  orders_store_answer: {
    params: { answer: Jsonb; customer_id: CustomerId; key: string }
    row: Record<string, never>
  }
  orders_stored_digest: {
    params: { customer_id: CustomerId; key: string | null; digests: readonly (string | null)[]; domain: DomainName }
    row: {
      digest: string | null
    }
  }
  orders_take_parked: {
    params: { lease_ms: number; lease_token: string; id: OrderId }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
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
      api_key_id: ApiKeyId | null
      sealed: string | null
      traceparent: string | null
      quote_id: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_times: {
    params: { id: OrderId; customer_id: CustomerId }
    row: {
      created_at: Date
      updated_at: Date
    }
  }
  orders_visible_purchases_of_customer: {
    params: { customer_id: CustomerId; after: string; visible: readonly (string | null)[]; limit: bigint }
    row: {
      id: OrderId
      customer_id: CustomerId
      type: string
      domain: DomainName
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
      api_key_id: ApiKeyId | null
      sealed: string | null
      traceparent: string | null
      quote_id: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
  orders_wake: {
    params: { registry: string; domain: DomainName | null; id: OrderId | null }
    row: Record<string, never>
  }
  orders_with_refunds: {
    params: { id: OrderId }
    row: {
      customer_id: CustomerId
      currency: string
      amount: bigint
      state: string
      domain: DomainName
      refunded: bigint
    }
  }
  partitioned_tables: {
    params: Record<string, never>
    row: {
      name: string
    }
  }
  partitions_create_next: {
    params: { table: string }
    row: {
      name: string | null
    }
  }
  partitions_drop_empty: {
    params: { table: string }
    row: {
      name: string | null
    }
  }
  partitions_problems: {
    params: Record<string, never>
    row: {
      parent: string
      problem: string
    }
  }
  passkey_challenges_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  passkey_challenges_put: {
    params: { binding: Buffer; challenge: string; expires_at: Date }
    row: Record<string, never>
  }
  passkey_challenges_take: {
    params: { binding: Buffer; now: Date }
    row: {
      challenge: string
      is_open: boolean
    }
  }
  passkeys_delete: {
    params: { customer_id: CustomerId; id: bigint }
    row: {
      name: string
    }
  }
  passkeys_insert: {
    params: { customer_id: CustomerId; credential_id: Buffer; public_key: Buffer; sign_count: bigint; transports: readonly (string | null)[]; name: string; backed_up: boolean; now: Date; most: number }
    row: {
      id: bigint
    }
  }
  passkeys_of_credential: {
    params: { credential_id: Buffer }
    row: {
      id: bigint
      customer_id: CustomerId
      public_key: Buffer
      sign_count: bigint
      suspended: boolean
    }
  }
  passkeys_of_customer: {
    params: { customer_id: CustomerId }
    row: {
      id: bigint
      credential_id: Buffer
      transports: string[]
      name: string
      backed_up: boolean
      created_at: Date
      last_used_at: Date | null
    }
  }
  passkeys_use: {
    params: { sign_count: bigint; backed_up: boolean; now: Date; id: bigint }
    row: {
      id: bigint
    }
  }
  password_links_answer: {
    params: { customer_id: CustomerId; token_hash: Buffer; code_mac: Buffer; answered_at: Date; id: string }
    row: Record<string, never>
  }
  password_links_close: {
    params: { answered_at: Date; id: string }
    row: Record<string, never>
  }
  password_links_end: {
    params: { now: Date; customer_id: CustomerId; kind: string | null }
    row: Record<string, never>
  }
  password_links_insert_reset: {
    params: { id: string; email: string; created_at: Date; expires_at: Date; address: string }
    row: Record<string, never>
  }
  password_links_insert_setup: {
    params: { id: string; email: string; customer_id: CustomerId; token_hash: Buffer; now: Date; expires_at: Date }
    row: Record<string, never>
  }
  password_links_notify: {
    params: Record<string, never>
    row: {
      notified: string | null
    }
  }
  password_links_of_hash: {
    params: { now: Date; token_hash: Buffer }
    row: {
      id: string
      kind: string
      email: string
      expires_at: Date
      logs_out: boolean
    }
  }
  password_links_open_request: {
    params: { id: string }
    row: {
      id: string
      address: string | null
      customer_id: CustomerId | null
      is_known: boolean
    }
  }
  password_links_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  password_links_try: {
    params: { id: string; now: Date; address: string }
    row: {
      id: string
      email: string
      code_mac: Buffer | null
      is_known: boolean
    }
  }
  password_links_uncount_attempt: {
    params: { id: string }
    row: Record<string, never>
  }
  password_links_use: {
    params: { now: Date; id: string }
    row: {
      kind: string
      customer_id: CustomerId
    }
  }
  passwords_put: {
    params: { customer_id: CustomerId; hash: string; changed_at: Date }
    row: Record<string, never>
  }
  passwords_renew_hash: {
    params: { new_hash: string; customer_id: CustomerId; old_hash: string }
    row: Record<string, never>
  }
  payment_reversals_of: {
    params: { ids: readonly (string | null)[] }
    row: {
      id: string
      payment_id: PaymentId
      kind: string
      amount: bigint
      shortfall: bigint
      description: string
      created_at: Date
    }
  }
  payment_reversals_of_id: {
    params: { id: string }
    row: {
      payment_id: PaymentId
      kind: string
      amount: bigint
      shortfall: bigint
    }
  }
  payments_bounds: {
    params: { from: Date; to: Date }
    row: {
      first_id: bigint
      last_id: bigint
    }
  }
  payments_credit: {
    params: { id: PaymentId; customer_id: CustomerId; currency: string; amount: bigint; account: string; description: string; checkout_id: CheckoutId | null; processor_checkout_session_id: string | null; processor_payment_intent_id: string | null; invoice_id: InvoiceId }
    row: {
      id: string
      processor_checkout_session_id: string | null
      processor_payment_intent_id: string | null
      customer_id: CustomerId
      currency: string
      amount: bigint
      transfer_id: TransferId
      created_at: Date
    }
  }
  payments_credited: {
    params: { first_id: bigint; before: bigint; limit: bigint }
    row: {
      id: PaymentId
      customer_id: CustomerId
      currency: string
      amount: bigint
      account: string
      checkout_id: CheckoutId | null
      processor_checkout_session_id: string | null
      processor_payment_intent_id: string | null
      transfer_id: TransferId
      invoice_id: InvoiceId | null
      created_at: Date
    }
  }
  payments_credited_of_customer: {
    params: { customer_id: CustomerId; first_id: bigint; before: bigint; limit: bigint }
    row: {
      id: PaymentId
      customer_id: CustomerId
      currency: string
      amount: bigint
      account: string
      checkout_id: CheckoutId | null
      processor_checkout_session_id: string | null
      processor_payment_intent_id: string | null
      transfer_id: TransferId
      invoice_id: InvoiceId | null
      created_at: Date
    }
  }
  payments_known: {
    params: { id: PaymentId; processor_checkout_session_id: string | null; processor_payment_intent_id: string | null }
    row: {
      id: PaymentId
      processor_checkout_session_id: string | null
      processor_payment_intent_id: string | null
      customer_id: CustomerId
      currency: string
      amount: bigint
      transfer_id: TransferId
      created_at: Date
    }
  }
  payments_lock: {
    params: { keys: readonly (string | null)[] }
    row: {
      pg_advisory_xact_lock: string | null
    }
  }
  payments_reverse: {
    params: { id: PaymentId; payment_id: PaymentId; kind: string; amount: bigint; description: string; invoice_id: InvoiceId }
    row: {
      posted: boolean
    }
  }
  payments_with_reversals: {
    params: { id: PaymentId }
    row: {
      id: PaymentId
      customer_id: CustomerId
      currency: string
      amount: bigint
      reversed: bigint
    }
  }
  pricing_in_currency: {
    params: { currency: string }
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
    params: Record<string, never>
    row: {
      currency: string
      tld: string
      action: string
      price: bigint
    }
  }
  pricing_put: {
    params: { synced_at: Date; currencies: readonly (string | null)[]; tlds: readonly (string | null)[]; actions: readonly (string | null)[]; registries: readonly (string | null)[]; cost_currencies: readonly (string | null)[]; costs: readonly (bigint | null)[]; prices: readonly (bigint | null)[] }
    row: Record<string, never>
  }
  pricing_stale: {
    params: { tlds: readonly (string | null)[]; registries: readonly (string | null)[]; since: Date }
    row: {
      tld: string
    }
  }
  provider_clients_put: {
    params: { customer_id: CustomerId; registry: string; position: number; client_id: string }
    row: Record<string, never>
  }
  provider_clients_reconciled: {
    params: { client_id: string; digest: string; reconciled_at: Date; customer_id: CustomerId; registry: string }
    row: Record<string, never>
  }
  provider_clients_refused: {
    params: { digest: string; customer_id: CustomerId; registry: string }
    row: Record<string, never>
  }
  provider_clients_stale_registrant: {
    params: { customer_id: CustomerId; registry: string }
    row: {
      contact_id: bigint
    }
  }
  push_subscriptions_delete: {
    params: { id: string; customer_id: CustomerId }
    row: {
      service: string
    }
  }
  push_subscriptions_end: {
    params: { id: string }
    row: Record<string, never>
  }
  push_subscriptions_end_oldest: {
    params: { customer_id: CustomerId; endpoint_hash: Buffer; keep: number }
    row: Record<string, never>
  }
  push_subscriptions_note_sent: {
    params: { sent_at: Date; id: string }
    row: Record<string, never>
  }
  push_subscriptions_of_customer: {
    params: { customer_id: CustomerId; public_key: string; limit: number }
    row: {
      id: string
      session_id: bigint
      service: string
      agent: string
      created_at: Date
      last_sent_at: Date | null
    }
  }
  push_subscriptions_put: {
    params: { session_id: bigint; id: string; customer_id: CustomerId; sealed: string; endpoint_hash: Buffer; service: string; public_key: string; agent: string; created_at: Date }
    row: {
      id: string
      session_id: bigint
      service: string
      agent: string
      created_at: Date
      last_sent_at: Date | null
    }
  }
  push_subscriptions_read_sealed_endpoint: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  push_subscriptions_reseal_endpoint: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  push_subscriptions_to_send: {
    params: { id: string }
    row: {
      sealed: string
      public_key: string
    }
  }
  quotes_by_id: {
    params: { id: string; customer_id: CustomerId }
    row: {
      type: string
      domain: DomainName
      period_years: number
      currency: string
      amount: bigint
      price: Json
      expires_at: Date
      order_id: OrderId | null
    }
  }
  quotes_count_open: {
    params: { customer_id: CustomerId; limit: number }
    row: {
      open: bigint
    }
  }
  quotes_insert: {
    params: { id: string; customer_id: CustomerId; type: string; domain: DomainName; period_years: number; currency: string; amount: bigint; price: Jsonb; created_at: Date; expires_at: Date }
    row: Record<string, never>
  }
  quotes_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  rate_limits_lease: {
    params: { key: string; window_s: number; units: number; quota: number }
    row: {
      granted: number
      left: number
      resets_s: number
    }
  }
  rate_limits_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  receipts_buyer: {
    params: { customer_id: CustomerId }
    row: {
      name: string
      company_name: string | null
      email: string
      address: string | null
      country: string | null
    }
  }
  registry_contacts_mark_synced: {
    params: { registry: string; registry_contact_id: string; synced_version: bigint; contact_id: bigint }
    row: Record<string, never>
  }
  registry_messages_acked: {
    params: { registry: string; msg_id: string }
    row: Record<string, never>
  }
  registry_messages_count_failure: {
    params: { registry: string; msg_id: string; queued_at: Date | null; text: string; kind: string; domain: DomainName | null; parsed: Jsonb; raw: string; recognized: boolean; last_error: string }
    row: {
      failures: number
    }
  }
  registry_messages_handled: {
    params: { last_error: string | null; id: bigint; received_at: Date }
    row: Record<string, never>
  }
  registry_messages_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  registry_messages_put: {
    params: { registry: string; msg_id: string; queued_at: Date | null; text: string; kind: string; domain: DomainName | null; parsed: Jsonb; raw: string; recognized: boolean }
    row: {
      id: bigint
      received_at: Date
      handled: boolean
    }
  }
  rights_of_grant: {
    params: { domain: DomainName | null; approval_id: ApprovalId | null; id: string }
    row: {
      suspended: boolean
      scopes: string[]
      limits: Json | null
      protected: boolean
      approved: boolean
    }
  }
  rights_of_key: {
    params: { domain: DomainName | null; approval_id: ApprovalId | null; id: bigint; key_hash: Buffer | null }
    row: {
      suspended: boolean
      scopes: string[]
      limits: Json | null
      protected: boolean
      approved: boolean
    }
  }
  rights_of_operator: {
    params: { key_id: bigint; session_id: bigint | null }
    row: {
      id: bigint
    }
  }
  rights_of_session: {
    params: { domain: DomainName | null; approval_id: ApprovalId | null; id: bigint }
    row: {
      suspended: boolean
      protected: boolean
      approved: boolean
    }
  }
  sandbox_notify_offset: {
    params: { offset_ms: bigint }
    row: {
      notified: string
    }
  }
  sandbox_put_offset: {
    params: { offset_ms: bigint }
    row: {
      offset_ms: bigint
    }
  }
  sandbox_raise_offset: {
    params: { offset_ms: bigint }
    row: {
      offset_ms: bigint
    }
  }
  sandbox_read_offset: {
    params: Record<string, never>
    row: {
      offset_ms: bigint
    }
  }
  session_leases_acquire: {
    params: { registry: string; node: string; budget: number; wanted: number; lease_ms: number; wait_ms: number }
    row: {
      lease: bigint
      waited_for: boolean
    }
  }
  session_leases_end_wait: {
    params: { registry: string; node: string }
    row: Record<string, never>
  }
  session_leases_read_nodes: {
    params: { registry: string }
    row: {
      node: string
      held: number
      held_ms: number | null
      waited_ms: number | null
    }
  }
  session_leases_read_nodes_by_prefix: {
    params: { registry: string; prefix: string }
    row: {
      node: string
    }
  }
  session_leases_release: {
    params: { lease: bigint }
    row: {
      notified: string | null
    }
  }
  session_leases_release_node: {
    params: { node: string }
    row: {
      notified: string | null
    }
  }
  session_leases_renew: {
    params: { lease_ms: number; leases: readonly (bigint | null)[] }
    row: {
      lease: bigint
      registry: string
      waited_for: boolean
    }
  }
  sessions_any: {
    params: { customer_id: CustomerId; id: bigint }
    row: {
      id: bigint
      agent: string
    }
  }
  sessions_can_log_in: {
    params: { customer_id: CustomerId }
    row: {
      there: boolean
    }
  }
  sessions_end: {
    params: { ended_at: Date; customer_id: CustomerId; id: bigint }
    row: Record<string, never>
  }
  sessions_end_all: {
    params: { ended_at: Date; customer_id: CustomerId; except_id: bigint | null }
    row: Record<string, never>
  }
  sessions_end_consent_log_in: {
    params: { ended_at: Date; id_hash: Buffer }
    row: Record<string, never>
  }
  sessions_end_oldest: {
    params: { now: Date; customer_id: CustomerId; used_since: Date; keep: number }
    row: Record<string, never>
  }
  sessions_flush_uses: {
    params: { ids: readonly (bigint | null)[]; times: readonly (Date | null)[] }
    row: Record<string, never>
  }
  sessions_insert: {
    params: { customer_id: CustomerId; password_changed_at: Date; token_hash: Buffer; now: Date; signed_in_at: Date; expires_at: Date; agent: string; address: string; begun_in: bigint | null }
    row: {
      id: bigint
    }
  }
  sessions_insert_without_password: {
    params: { customer_id: CustomerId; token_hash: Buffer; now: Date; signed_in_at: Date; expires_at: Date; agent: string; address: string; begun_in: bigint | null }
    row: {
      id: bigint
    }
  }
  sessions_live: {
    params: { customer_id: CustomerId; now: Date; used_since: Date; limit: number }
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
  sessions_log_out_interactions: {
    params: { id_hashes: readonly (Buffer | null)[] }
    row: Record<string, never>
  }
  sessions_move_begun_in: {
    params: { new_id: bigint; customer_id: CustomerId; old_id: bigint }
    row: Record<string, never>
  }
  sessions_move_push_subscriptions: {
    params: { new_id: bigint; customer_id: CustomerId; old_id: bigint }
    row: Record<string, never>
  }
  sessions_of_hash: {
    params: { token_hash: Buffer }
    row: {
      id: bigint
      customer_id: CustomerId
      signed_in_at: Date
      last_used_at: Date
      expires_at: Date
      suspended: boolean
    }
  }
  sessions_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  sessions_record_sign_in: {
    params: { signed_in_at: Date; customer_id: CustomerId; id: bigint }
    row: {
      id: bigint
    }
  }
  sessions_refusal_of_hash: {
    params: { token_hash: Buffer }
    row: {
      ended: boolean
      closed: boolean
    }
  }
  sign_in_account_of_email: {
    params: { address: string; email: string }
    row: {
      id: CustomerId
      suspended: boolean
      hash: string | null
      changed_at: Date | null
      is_usual: boolean
    }
  }
  sign_in_give_back_units: {
    params: { keys: readonly (string | null)[]; emptied: readonly (string | null)[] }
    row: {
      given: string | null
    }
  }
  sign_in_note_place: {
    params: { customer_id: CustomerId; address: string; last_at: Date }
    row: Record<string, never>
  }
  sign_in_purge_failures: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  sign_in_purge_networks: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  sign_in_take_units: {
    params: { keys: readonly (string | null)[]; most: readonly (number | null)[]; drain_s: readonly (number | null)[] }
    row: {
      wait_s: number
    }
  }
  sign_ups_answer: {
    params: { token_hash: Buffer | null; code_mac: Buffer | null; answered_at: Date; id: string }
    row: Record<string, never>
  }
  sign_ups_close_request: {
    params: { answered_at: Date; id: string }
    row: Record<string, never>
  }
  sign_ups_insert: {
    params: { id: string; email: string; name: string; company_name: string | null; password_hash: string; terms_version: string | null; address: string; agent: string; created_at: Date; expires_at: Date }
    row: Record<string, never>
  }
  sign_ups_notify: {
    params: Record<string, never>
    row: {
      notified: string | null
    }
  }
  sign_ups_of_token: {
    params: { token_hash: Buffer; now: Date }
    row: {
      id: string
      email: string
      address: string
      agent: string
      created_at: Date
      used_at: Date | null
    }
  }
  sign_ups_open: {
    params: { id: string; since: Date }
    row: {
      email: string
    }
  }
  sign_ups_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  sign_ups_request_another_mail: {
    params: { expires_at: Date; address: string; id: string }
    row: Record<string, never>
  }
  sign_ups_try: {
    params: { id: string; now: Date }
    row: {
      id: string
      email: string
      code_mac: Buffer | null
      used_at: Date | null
    }
  }
  sign_ups_unanswered: {
    params: { id: string }
    row: {
      id: string
      email: string
      address: string
      expires_at: Date
      customer_id: CustomerId | null
    }
  }
  sign_ups_uncount_attempt: {
    params: { id: string }
    row: Record<string, never>
  }
  sign_ups_use: {
    params: { id: string; used_at: Date }
    row: {
      email: string
      name: string
      company_name: string | null
      terms_version: string | null
      password_hash: string | null
    }
  }
  sso_account_with_email: {
    params: { email: string }
    row: {
      id: CustomerId
      closed: boolean
      has_password: boolean
    }
  }
  sso_identities_account: {
    params: { issuer: string; subject: string }
    row: {
      id: bigint
      customer_id: CustomerId
      suspended: boolean
      closed: boolean
    }
  }
  sso_identities_delete: {
    params: { customer_id: CustomerId; id: bigint }
    row: {
      provider: string
      issuer: string
    }
  }
  sso_identities_insert: {
    params: { customer_id: CustomerId; provider: string; issuer: string; subject: string; email: string | null; now: Date; most: number }
    row: {
      id: bigint
    }
  }
  sso_identities_of_customer: {
    params: { customer_id: CustomerId }
    row: {
      id: bigint
      provider: string
      issuer: string
      email: string | null
      created_at: Date
      last_used_at: Date | null
    }
  }
  sso_identities_use: {
    params: { now: Date; id: bigint }
    row: {
      id: bigint
    }
  }
  sso_log_ins_account_of_ticket: {
    params: { ticket_hash: Buffer }
    row: {
      customer_id: CustomerId
    }
  }
  sso_log_ins_insert: {
    params: { id: string; provider: string; state_hash: Buffer; browser_hash: Buffer; sealed: string; return_to: string | null; confirms_customer_id: string | null; now: Date; expires_at: Date }
    row: Record<string, never>
  }
  sso_log_ins_of_link: {
    params: { link_hash: Buffer; browser_hash: Buffer; now: Date }
    row: {
      id: string
      provider: string
      issuer: string
      subject: string
      identity_email: string | null
      customer_id: CustomerId
      code_mac: Buffer | null
      link_expires_at: Date
      email: string
      suspended: boolean
    }
  }
  sso_log_ins_open_link: {
    params: { customer_id: CustomerId; link_hash: Buffer; link_expires_at: Date; id: string }
    row: Record<string, never>
  }
  sso_log_ins_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  sso_log_ins_put_code: {
    params: { code_mac: Buffer; code_expires_at: Date; id: string }
    row: Record<string, never>
  }
  sso_log_ins_put_ticket: {
    params: { issuer: string; subject: string; email: string | null; name: string | null; ticket_hash: Buffer; ticket_expires_at: Date; id: string }
    row: Record<string, never>
  }
  sso_log_ins_read_sealed_nonce: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  sso_log_ins_reseal_nonce: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  sso_log_ins_try_code: {
    params: { id: string; now: Date }
    row: {
      code_mac: Buffer | null
    }
  }
  sso_log_ins_uncount_attempt: {
    params: { id: string }
    row: Record<string, never>
  }
  sso_log_ins_use_link: {
    params: { now: Date; id: string }
    row: {
      id: string
    }
  }
  sso_log_ins_use_state: {
    params: { now: Date; state_hash: Buffer; provider: string; browser_hash: Buffer }
    row: {
      id: string
      sealed: string
      return_to: string | null
    }
  }
  sso_log_ins_use_ticket: {
    params: { now: Date; ticket_hash: Buffer; browser_hash: Buffer }
    row: {
      id: string
      provider: string
      issuer: string
      subject: string
      email: string | null
      name: string | null
      confirms_customer_id: string | null
    }
  }
  support_events_after: {
    params: { customer_ids: readonly (string | null)[]; afters: readonly (bigint | null)[]; limit: number }
    row: {
      customer_id: CustomerId
      position: bigint
      kind: string
      reader: string | null
      at: Date
      id: string
      sender: string
      body: string
      created_at: Date
      read_at: Date | null
    }
  }
  support_messages_event_of: {
    params: { id: string; customer_id: CustomerId }
    row: {
      event: bigint
    }
  }
  support_messages_mark_read: {
    params: { customer_id: CustomerId; reader: string; up_to: bigint | null }
    row: {
      marked: number
      unread: number
    }
  }
  support_messages_of_customer: {
    params: { customer_id: CustomerId; before: bigint; limit: bigint }
    row: {
      id: string
      event: bigint
      sender: string
      operator: string | null
      body: string
      created_at: Date
      read_at: Date | null
    }
  }
  support_messages_post: {
    params: { customer_id: CustomerId; id: string; sender: string; body: string; idempotency_key: string | null; operator: string | null }
    row: {
      id: string
      sender: string
      operator: string | null
      body: string
      created_at: Date
      read_at: Date | null
      replayed: boolean
    }
  }
  support_messages_unmailed: {
    params: { customer_id: CustomerId; limit: bigint }
    row: {
      id: string
      event: bigint
      body: string
    }
  }
  support_messages_unmailed_to_operators: {
    params: { customer_id: CustomerId; limit: bigint }
    row: {
      id: string
      event: bigint
      body: string
    }
  }
  support_messages_with_owner: {
    params: { id: string }
    row: {
      id: string
      customer_id: CustomerId
      body: string
      created_at: Date
      name: string
      email: string
    }
  }
  support_stream_nodes_end: {
    params: { node: string }
    row: Record<string, never>
  }
  support_stream_nodes_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  support_stream_nodes_renew: {
    params: { lease_ms: number; node: string }
    row: {
      node: string
    }
  }
  support_streams_close: {
    params: { ids: readonly (string | null)[] }
    row: Record<string, never>
  }
  support_streams_open: {
    params: { id: string; customer_id: CustomerId; node: string; most: number; lease_ms: number }
    row: {
      opened: boolean
      last_event: bigint
    }
  }
  support_threads_answered: {
    params: { at: Date; after_customer: string; limit: bigint }
    row: {
      customer_id: CustomerId
      name: string
      email: string
      last_message_at: Date
      waiting_since: Date | null
      operator_unread: number
      customer_unread: number
      id: string
      sender: string
      operator: string | null
      body: string
      created_at: Date
      read_at: Date | null
    }
  }
  support_threads_next_operators_mail: {
    params: { pause_s: number; customer_id: CustomerId }
    row: {
      run_at: Date
    }
  }
  support_threads_note_mailed: {
    params: { event: bigint; customer_id: CustomerId }
    row: Record<string, never>
  }
  support_threads_note_operators_mailed: {
    params: { event: bigint; customer_id: CustomerId }
    row: Record<string, never>
  }
  support_threads_of_customer: {
    params: { customer_id: CustomerId }
    row: {
      last_event: bigint
      customer_unread: number
      operator_unread: number
    }
  }
  support_threads_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  support_threads_waiting: {
    params: { at: Date; after_customer: string; limit: bigint }
    row: {
      customer_id: CustomerId
      name: string
      email: string
      last_message_at: Date
      waiting_since: Date | null
      operator_unread: number
      customer_unread: number
      id: string
      sender: string
      operator: string | null
      body: string
      created_at: Date
      read_at: Date | null
    }
  }
  tasks_claim: {
    params: { kind: string; bulkhead: string; now: Date | null; lease_ms: number; limit: number; lease_token: string }
    row: {
      id: bigint
      key: string
      payload: Json
      version: number
      attempts: number
      lost_leases: number
      traceparent: string | null
    }
  }
  tasks_claim_one: {
    params: { lease_token: string; lease_ms: number; kind: string; key: string; bulkhead: string }
    row: {
      id: bigint
      key: string
      payload: Json
      version: number
      attempts: number
      lost_leases: number
      traceparent: string | null
    }
  }
  tasks_complete: {
    params: { id: bigint; lease_token: string; version: number }
    row: {
      id: bigint
    }
  }
  tasks_count_dead: {
    params: Record<string, never>
    row: {
      kind: string
      dead: bigint
    }
  }
  tasks_due_kinds: {
    params: { kinds: readonly (string | null)[] }
    row: {
      kind: string
    }
  }
  tasks_enqueue: {
    params: { kind: string; key: string; bulkhead: string; payload: Jsonb; run_at: Date | null; existing: string; traceparent: string }
    row: {
      enqueued: string | null
    }
  }
  tasks_fail: {
    params: { attempts: number; last_error: string; version: number; now: Date | null; in_ms: number; dead: boolean; id: bigint; lease_token: string }
    row: {
      id: bigint
    }
  }
  tasks_list_dead: {
    params: { before: bigint | null; limit: number }
    row: {
      id: bigint
      kind: string
      key: string
      bulkhead: string
      attempts: number
      last_error: string | null
      created_at: Date
      dead_at: Date
    }
  }
  tasks_purge_dead: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  tasks_renew: {
    params: { lease_ms: number; ids: readonly (bigint | null)[]; lease_token: string }
    row: {
      id: bigint
    }
  }
  tasks_revive: {
    params: { id: bigint }
    row: {
      kind: string
      key: string
    }
  }
  terms_acceptances_insert: {
    params: { customer_id: CustomerId; version: string; accepted_at: Date }
    row: Record<string, never>
  }
  tsig_keys_active: {
    params: { id: string }
    row: {
      id: string
      algorithm: string
      sealed_secret: string
      dns_hosts: string[] | null
      dns_types: number[] | null
      made_by: string
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      customer_id: CustomerId
      created_at: Date
      domain: DomainName
      protected: boolean
      suspended: boolean
    }
  }
  tsig_keys_count: {
    params: { domain_id: bigint }
    row: {
      made: bigint
    }
  }
  tsig_keys_delete: {
    params: { id: string; domain_id: bigint; customer_id: CustomerId }
    row: Record<string, never>
  }
  tsig_keys_delete_ended: {
    params: { domain_id: bigint; now: Date; customer_id: CustomerId }
    row: Record<string, never>
  }
  tsig_keys_insert: {
    params: { id: string; domain_id: bigint; customer_id: CustomerId; algorithm: string; sealed_secret: string; dns_hosts: readonly (string | null)[] | null; dns_types: readonly (number | null)[] | null; made_by: string; api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null; expires_at: Date | null; created_at: Date }
    row: {
      id: string
      algorithm: string
      dns_hosts: string[] | null
      dns_types: number[] | null
      made_by: string
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      expires_at: Date | null
      created_at: Date
      maker_ended: boolean
    }
  }
  tsig_keys_of_domain: {
    params: { domain_id: bigint; customer_id: CustomerId }
    row: {
      id: string
      algorithm: string
      dns_hosts: string[] | null
      dns_types: number[] | null
      made_by: string
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      expires_at: Date | null
      created_at: Date
      maker_ended: boolean
    }
  }
  tsig_keys_read_sealed_secret: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  tsig_keys_reseal_secret: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  waiting_nameservers_by_id: {
    params: { id: string }
    row: {
      id: string
      domain_id: bigint
      customer_id: CustomerId
      nameservers: string[]
      glue: Json
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      session_id: bigint | null
      label: string | null
      created_at: Date
      expires_at: Date
      checked_at: Date | null
      domain: DomainName
    }
  }
  waiting_nameservers_drop: {
    params: { domain_id: bigint }
    row: {
      id: string
    }
  }
  waiting_nameservers_drop_one: {
    params: { id: string }
    row: {
      id: string
    }
  }
  waiting_nameservers_note_checked: {
    params: { id: string }
    row: Record<string, never>
  }
  waiting_nameservers_of_holding: {
    params: { domain_id: bigint; customer_id: CustomerId }
    row: {
      id: string
      domain_id: bigint
      customer_id: CustomerId
      nameservers: string[]
      glue: Json
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      session_id: bigint | null
      label: string | null
      created_at: Date
      expires_at: Date
      checked_at: Date | null
      domain: DomainName
    }
  }
  waiting_nameservers_store: {
    params: { id: string; nameservers: readonly (string | null)[]; glue: Jsonb; api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null; session_id: bigint | null; label: string | null; created_at: Date; expires_at: Date; domain_id: bigint; customer_id: CustomerId }
    row: {
      id: string
    }
  }
  webhook_deliveries_end: {
    params: { last_error: string; id: string }
    row: Record<string, never>
  }
  webhook_deliveries_fail_pending: {
    params: { last_error: string; webhook_id: string }
    row: Record<string, never>
  }
  webhook_deliveries_failed: {
    params: { before: string; limit: number }
    row: {
      id: string
      webhook_id: string
      customer_id: CustomerId
      name: string
      url: string
      disabled_because: string | null
      event_id: string
      event_type: string
      attempts: number
      last_attempt_at: Date | null
      last_status: number | null
      last_error: string | null
      created_at: Date
    }
  }
  webhook_deliveries_failed_by_id: {
    params: { id: string }
    row: {
      webhook_id: string
      customer_id: CustomerId
      disabled_because: string | null
    }
  }
  webhook_deliveries_insert: {
    params: { deliveries: Jsonb }
    row: Record<string, never>
  }
  webhook_deliveries_next: {
    params: { webhook_id: string; now: Date; held_ms: number }
    row: {
      due_id: string | null
      is_held: boolean
      wait_ms: number | null
      any_pending: boolean
    }
  }
  webhook_deliveries_notify: {
    params: Record<string, never>
    row: {
      notified: string | null
    }
  }
  webhook_deliveries_of_state: {
    params: { webhook_id: string; state: string; before: string; limit: number }
    row: {
      id: string
      webhook_id: string
      event_id: string
      event_type: string
      state: string
      attempts: number
      next_at: Date
      last_attempt_at: Date | null
      last_status: number | null
      last_error: string | null
      duration_ms: number | null
      created_at: Date
    }
  }
  webhook_deliveries_of_webhook: {
    params: { webhook_id: string; before: string; limit: number }
    row: {
      id: string
      webhook_id: string
      event_id: string
      event_type: string
      state: string
      attempts: number
      next_at: Date
      last_attempt_at: Date | null
      last_status: number | null
      last_error: string | null
      duration_ms: number | null
      created_at: Date
    }
  }
  webhook_deliveries_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  webhook_deliveries_record: {
    params: { state: string; next_at: Date; now: Date; last_status: number | null; last_error: string | null; duration_ms: number; id: string }
    row: {
      attempts: number
    }
  }
  webhook_deliveries_redeliver: {
    params: { now: Date; id: string; webhook_id: string }
    row: {
      id: string
      webhook_id: string
      event_id: string
      event_type: string
      state: string
      attempts: number
      next_at: Date
      last_attempt_at: Date | null
      last_status: number | null
      last_error: string | null
      duration_ms: number | null
      created_at: Date
    }
  }
  webhook_deliveries_to_send: {
    params: { id: string }
    row: {
      id: string
      attempts: number
      first_failed_at: Date | null
      event_id: string
      pos: bigint
      customer_id: CustomerId
      type: string
      audit_log_id: bigint
      subject_type: string
      subject_id: string
      data: Json
      created_at: Date
    }
  }
  webhook_secrets_purge: {
    params: { before: Date; limit: number }
    row: Record<string, never>
  }
  webhook_secrets_read_sealed_secret: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  webhook_secrets_reseal_secret: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  webhooks_by_id: {
    params: { id: string; customer_id: CustomerId }
    row: {
      id: string
      customer_id: CustomerId
      url: string
      types: string[]
      description: string | null
      disabled_because: string | null
      failing_since: Date | null
      previous_until: Date | null
      created_at: Date
      updated_at: Date
      made_by: string | null
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
    }
  }
  webhooks_change: {
    params: { url: string; types: readonly (string | null)[]; description: string | null; disabled_because: string | null; failing_since: Date | null; made_by: string | null; api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null; id: string; customer_id: CustomerId }
    row: {
      id: string
      customer_id: CustomerId
      url: string
      types: string[]
      description: string | null
      disabled_because: string | null
      failing_since: Date | null
      previous_until: Date | null
      created_at: Date
      updated_at: Date
      made_by: string | null
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
    }
  }
  webhooks_count: {
    params: { customer_id: CustomerId }
    row: {
      made: bigint
    }
  }
  webhooks_delete: {
    params: { id: string; customer_id: CustomerId }
    row: {
      url: string
    }
  }
  webhooks_delete_ended: {
    params: { customer_id: CustomerId }
    row: Record<string, never>
  }
  webhooks_disable: {
    params: { because: string; id: string }
    row: {
      url: string
      customer_id: CustomerId
    }
  }
  webhooks_insert: {
    params: { id: string; customer_id: CustomerId; url: string; types: readonly (string | null)[]; description: string | null; sealed_secret: string; made_by: string; api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null }
    row: {
      id: string
      customer_id: CustomerId
      url: string
      types: string[]
      description: string | null
      disabled_because: string | null
      failing_since: Date | null
      previous_until: Date | null
      created_at: Date
      updated_at: Date
      made_by: string | null
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
    }
  }
  webhooks_lock: {
    params: { id: string; customer_id: CustomerId }
    row: {
      id: string
      customer_id: CustomerId
      url: string
      types: string[]
      description: string | null
      disabled_because: string | null
      failing_since: Date | null
      previous_until: Date | null
      created_at: Date
      updated_at: Date
      made_by: string | null
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
      maker_chain: bigint[] | null
      maker_client: string | null
    }
  }
  webhooks_lock_owner: {
    params: { customer_id: CustomerId }
    row: {
      id: CustomerId
    }
  }
  webhooks_note_failure: {
    params: { now: Date; id: string }
    row: {
      failing_since: Date | null
    }
  }
  webhooks_note_success: {
    params: { id: string }
    row: Record<string, never>
  }
  webhooks_of_customer: {
    params: { customer_id: CustomerId }
    row: {
      id: string
      customer_id: CustomerId
      url: string
      types: string[]
      description: string | null
      disabled_because: string | null
      failing_since: Date | null
      previous_until: Date | null
      created_at: Date
      updated_at: Date
      made_by: string | null
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
    }
  }
  webhooks_of_customers: {
    params: { customers: readonly (string | null)[] }
    row: {
      id: string
      customer_id: CustomerId
      types: string[]
      maker_scopes: string[] | null
      maker_limits: Json | null
    }
  }
  webhooks_read_sealed_previous_secret: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  webhooks_read_sealed_secret: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  webhooks_reseal_previous_secret: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  webhooks_reseal_secret: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  webhooks_rotate_secret: {
    params: { id: string; customer_id: CustomerId; now: Date; previous_until: Date; sealed_secret: string }
    row: {
      id: string
      customer_id: CustomerId
      url: string
      types: string[]
      description: string | null
      disabled_because: string | null
      failing_since: Date | null
      previous_until: Date | null
      created_at: Date
      updated_at: Date
      made_by: string | null
      api_key_id: ApiKeyId | null
      oauth_grant_id: GrantId | null
    }
  }
  webhooks_to_send: {
    params: { now: Date; id: string }
    row: {
      id: string
      customer_id: CustomerId
      url: string
      sealed_secret: string
      sealed_previous_secret: string | null
      previous_until: Date | null
      maker_ended: boolean
      maker_scopes: string[] | null
      maker_limits: Json | null
      sealed_earlier: string[]
    }
  }
  webhooks_without_task: {
    params: { limit: number }
    row: {
      id: string
    }
  }
  x402_authorizations_by_id: {
    params: { id: string }
    row: {
      id: string
      checkout_id: CheckoutId
      customer_id: CustomerId
      chain_id: bigint
      token: string
      payer: string
      nonce: string
      valid_after: bigint
      valid_before: bigint
      sealed_signature: string | null
      state: string
      reason: string | null
      transaction_id: string | null
      hinted_transaction_id: string | null
      submitted_at: Date | null
    }
  }
  x402_authorizations_end: {
    params: { state: string; reason: string | null; transaction_id: string | null; id: string }
    row: {
      id: string
    }
  }
  x402_authorizations_hint: {
    params: { transaction_id: string; id: string }
    row: Record<string, never>
  }
  x402_authorizations_insert: {
    params: { id: string; checkout_id: CheckoutId; customer_id: CustomerId; chain_id: bigint; token: string; payer: string; nonce: string; valid_after: bigint; valid_before: bigint; sealed_signature: string; most: number }
    row: {
      id: string
    }
  }
  x402_authorizations_mined: {
    params: { transaction_id: string; id: string }
    row: Record<string, never>
  }
  x402_authorizations_of_checkout: {
    params: { checkout_id: CheckoutId; chain_id: bigint; token: string; payer: string; nonce: string }
    row: {
      id: string | null
    }
  }
  x402_authorizations_of_nonce: {
    params: { chain_id: bigint; token: string; payer: string; nonce: string }
    row: {
      id: string
      checkout_id: CheckoutId
      customer_id: CustomerId
      chain_id: bigint
      token: string
      payer: string
      nonce: string
      valid_after: bigint
      valid_before: bigint
      sealed_signature: string | null
      state: string
      reason: string | null
      transaction_id: string | null
      hinted_transaction_id: string | null
      submitted_at: Date | null
    }
  }
  x402_authorizations_read_sealed_signature: {
    params: { after: string; limit: number }
    row: {
      key: string
      sealed: string | null
    }
  }
  x402_authorizations_reseal_signature: {
    params: { sealed: string; key: string; was: string }
    row: Record<string, never>
  }
  x402_authorizations_submitted: {
    params: { id: string }
    row: {
      id: string
    }
  }
  x402_offers_insert: {
    params: { checkout_id: CheckoutId; chain_id: bigint; token: string; domain_name: string; domain_version: string }
    row: Record<string, never>
  }
  x402_offers_of_checkout: {
    params: { checkout_id: CheckoutId }
    row: {
      checkout_id: CheckoutId
      customer_id: CustomerId
      amount: bigint
      currency: string
      asset: string
      network: string
      reference: string
      pay_amount: string
      expires_at: Date
      chain_id: bigint
      token: string
      domain_name: string
      domain_version: string
    }
  }
  x402_offers_of_reference: {
    params: { gateway: string; reference: string; customer_id: CustomerId }
    row: {
      checkout_id: CheckoutId
      customer_id: CustomerId
      amount: bigint
      currency: string
      asset: string
      network: string
      reference: string
      pay_amount: string
      expires_at: Date
      chain_id: bigint
      token: string
      domain_name: string
      domain_version: string
    }
  }
  x402_offers_open: {
    params: { customer_id: CustomerId; open_until: Date; amount: bigint; currency: string; asset: string; network: string; token: string }
    row: {
      checkout_id: CheckoutId
      customer_id: CustomerId
      amount: bigint
      currency: string
      asset: string
      network: string
      reference: string
      pay_amount: string
      expires_at: Date
      chain_id: bigint
      token: string
      domain_name: string
      domain_version: string
    }
  }
  x402_transactions_end: {
    params: { authorization_id: string }
    row: Record<string, never>
  }
  x402_transactions_insert: {
    params: { transaction_id: string; authorization_id: string; chain_id: bigint; wallet: string; gas_nonce: bigint; gas: string; max_fee: string; priority_fee: string }
    row: {
      transaction_id: string
    }
  }
  x402_transactions_newest: {
    params: { chain_id: bigint; wallet: string }
    row: {
      transaction_id: string
      gas_nonce: bigint
      gas: string
      max_fee: string
      priority_fee: string
      created_at: Date
      in_flight: boolean
    }
  }
  x402_transactions_of_authorization: {
    params: { authorization_id: string }
    row: {
      transaction_id: string
      gas_nonce: bigint
      gas: string
      max_fee: string
      priority_fee: string
      created_at: Date
      in_flight: boolean
    }
  }
  zones_begin_push: {
    params: { name: DomainName }
    row: {
      name: DomainName
      domain_id: bigint
      nameservers: string[]
      serial: bigint
      state: string
    }
  }
  zones_dequeue: {
    params: { limit: bigint }
    row: Record<string, never>
  }
  zones_find_addresses: {
    params: { domain_id: bigint; paths: readonly (string | null)[] }
    row: {
      path: string
      type: number
      ttl: number
      rdata: Buffer[]
    }
  }
  zones_find_sets: {
    params: { zones: readonly (string | null)[]; names: readonly (string | null)[]; paths: readonly (string | null)[]; types: readonly (number | null)[]; all_types: boolean }
    row: {
      zone: DomainName
      domain_id: bigint
      serial: bigint
      nameservers: string[]
      name: string
      is_found: boolean
      sets: Json | null
      has_below: boolean
      wildcard_sets: Json | null
      has_wildcard: boolean
    }
  }
  zones_follow_holding: {
    params: { id: bigint; customer_id: CustomerId }
    row: {
      served: boolean
    }
  }
  zones_is_here: {
    params: { name: DomainName }
    row: {
      is_here: boolean
    }
  }
  zones_list_records: {
    params: { id: bigint; customer_id: CustomerId }
    row: {
      host: string
      value: string
      ttl: number
      updated_at: Date
    }
  }
  zones_lock_holding: {
    params: { id: bigint; customer_id: CustomerId }
    row: {
      id: bigint
    }
  }
  zones_mark_pushed: {
    params: { pushed_serial: bigint; name: DomainName }
    row: Record<string, never>
  }
  zones_purge: {
    params: { name: DomainName; serial: bigint }
    row: Record<string, never>
  }
  zones_pushed: {
    params: { name: DomainName }
    row: {
      pushed: boolean | null
    }
  }
  zones_read_hosting: {
    params: { id: bigint; customer_id: CustomerId }
    row: {
      hosted: boolean
    }
  }
  zones_records_of: {
    params: { domain_id: bigint }
    row: {
      host: string
      type: number
      ttl: number
      rdata: Buffer[]
    }
  }
  zones_repair: {
    params: { after: string; limit: bigint }
    row: {
      looked: number
      last: string | null
      repaired: number
    }
  }
  zones_repair_ended: {
    params: { after: string; limit: bigint }
    row: {
      looked: number
      last: string | null
      repaired: number
    }
  }
  zones_requeue: {
    params: { provider: string; limit: number }
    row: {
      more: boolean
    }
  }
  zones_serve_ahead: {
    params: { nameservers: readonly (string | null)[]; id: bigint; customer_id: CustomerId }
    row: {
      name: DomainName
      zones_serve: string | null
    }
  }
  zones_set_own_nameservers: {
    params: { names: readonly (string | null)[] }
    row: {
      names: string[]
    }
  }
  zones_set_provider: {
    params: { provider: string | null }
    row: {
      changed: boolean
    }
  }
}
