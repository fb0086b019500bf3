// Every constraint of the schema has its fault, or a reason why no request can break it. One that
// is added without a place in this list fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/support/database.ts'
import { operations } from '../catalog.ts'
import { faultsOf } from '../surfaces/descriptions/operation-docs.ts'

const db = await testDatabase()

/** Constraint -> code of the fault that a request gets, whose test provokes it at the same time. */
const faults: Record<string, string> = {
  contacts_handle_of_customer: 'handle_taken',
  customers_email: 'email_taken',
  // Deleting a contact in use, and using a contact that is deleted.
  domain_contacts_contact_id_fkey: 'contact_in_use contact_deleted',
  orders_open_once: 'order_open domain_taken',
  orders_quote_once: 'quote_used',
  domains_held_once: 'domain_already_held',
  idempotency_keys_pkey: 'idempotency_key_in_use',
  idempotency_keys_of_order: 'order_open',
  no_overdraft: 'insufficient_funds adjustment_exceeds_balance',
  payments_pkey: 'top_up_conflict',
  payments_processor_checkout_session_id_key: 'top_up_conflict',
  payments_processor_payment_intent_id_key: 'top_up_conflict',
  ledger_one_credit: 'top_up_conflict',
  ledger_accounts_customer_id_fkey: 'top_up_customer_not_found',
  registry_contacts_contact_id_fkey: 'default_registrant_required',
}

/** Why no request can break a constraint, whatever it says and whatever others it meets. */
const unreachable: Record<string, string> = {
  'identifiers are an identity or 32 random bytes or more': `
    api_keys_key_hash_key api_keys_pkey audit_logs_pkey contacts_pkey customers_id_check
    customers_pkey dns_changes_id_check ordered_dns_records_change_id_check tsig_keys_id_check
    tsig_keys_pkey domains_pkey waiting_nameservers_id_check waiting_nameservers_id_key
    ledger_accounts_pkey ledger_transfers_pkey mails_id_check mails_pkey
    mail_dedupe_keys_mail_id_dedupe_key_key mails_id_dedupe_key_fkey oauth_grants_pkey
    operator_keys_key_hash_key operator_keys_pkey operator_sessions_pkey
    operator_sessions_token_hash_key orders_pkey password_links_id_check password_links_pkey
    password_links_token_hash_key registry_messages_pkey registry_messages_id_received_at_fkey
    sessions_pkey sessions_token_hash_key tasks_pkey email_changes_id_check email_changes_pkey
    email_changes_token_hash_key sign_ups_id_check sign_ups_pkey sign_ups_token_hash_key
    terms_acceptances_pkey invoices_pkey invoice_items_pkey card_checkouts_pkey
    card_checkouts_id_check passkeys_pkey sso_identities_pkey sso_log_ins_id_check
    sso_log_ins_link_hash_key sso_log_ins_pkey sso_log_ins_state_hash_key
    sso_log_ins_ticket_hash_key webhook_secrets_pkey`,
  'the insert says on conflict: what is there already is the answer': `
    domain_changes_pkey domain_schedules_pkey expiry_notices_pkey ledger_accounts_of_customer
    ledger_accounts_own mail_dedupe_keys_pkey mcp_client_names_pkey oauth_documents_pkey
    oauth_grants_interaction_hash_key oauth_models_pkey operator_keys_active passwords_pkey
    provider_clients_pkey rate_limits_pkey registry_contacts_pkey card_readings_pkey
    ledger_checks_pkey metric_snapshots_pkey registry_message_keys_pkey
    registry_message_keys_registry_msg_id_queued_at_key schedules_pkey session_lease_waits_pkey
    sign_in_failures_pkey sign_in_networks_pkey sync_rounds_pkey tasks_once tld_prices_pkey
    worker_heartbeats_pkey zone_records_pkey zones_pkey passkey_challenges_pkey
    dns_change_octets_pkey ordered_dns_records_pkey dns_scan_addresses_pkey dns_scans_pkey
    waiting_nameservers_pkey dns_changes_pkey dns_record_serials_pkey dns_record_sets_pkey
    nameserver_confirmations_open
    passkeys_credential_id_key sso_identities_issuer_subject_key`,
  'rows that are referred to are never deleted: customers, domains, orders, grants, keys': `
    api_keys_customer_id_fkey email_changes_customer_id_fkey terms_acceptances_customer_id_fkey
    api_keys_oauth_grant_id_fkey api_keys_parent_key_id_fkey contacts_customer_id_fkey
    domains_customer_id_fkey expiry_notices_domain_id_fkey idempotency_keys_order_id_fkey
    ledger_accounts_reserve_of_fkey ledger_transfers_customer_account_customer_id_currency_fkey
    mails_customer_id_fkey oauth_grants_customer_id_fkey operator_sessions_operator_key_id_fkey
    orders_customer_id_fkey password_links_customer_id_fkey passwords_customer_id_fkey
    ledger_adjustments_customer_id_fkey ledger_adjustments_operation_id_fkey
    payment_reversals_customer_id_fkey payment_reversals_payment_id_fkey payments_customer_id_fkey
    invoices_customer_id_fkey invoice_items_invoice_id_fkey invoices_credited
    ledger_transfer_invoice provider_clients_customer_id_fkey sessions_customer_id_fkey
    sign_in_networks_customer_id_fkey zone_records_domain_id_fkey dns_changes_domain_id_fkey
    dns_confirmations_change_id_fkey dns_confirmations_domain_id_fkey
    dns_record_serials_domain_id_fkey dns_record_sets_domain_id_fkey card_checkouts_customer_id_fkey
    card_checkouts_payment card_readings_payment_id_fkey passkeys_customer_id_fkey
    sso_identities_customer_id_fkey sso_log_ins_confirms_customer_id_fkey
    sso_log_ins_customer_id_fkey webhooks_api_key_id_fkey tsig_keys_api_key_id_fkey
    tsig_keys_customer_id_fkey tsig_keys_domain_id_fkey waiting_nameservers_domain_id_fkey
    nameserver_confirmations_domain_id_fkey nameserver_confirmations_customer_id_fkey`,
  'SHA-256, Ed25519 and HMAC have one length': `
    api_keys_key_hash_check audit_blocks_block_hash_check audit_blocks_merkle_root_check
    audit_blocks_previous_hash_check audit_blocks_signature_check audit_logs_row_hash_check
    oauth_grants_interaction_hash_check oauth_models_id_hash_check operator_keys_key_hash_check
    operator_sessions_token_hash_check password_links_code_mac_check password_links_token_hash_check
    sessions_token_hash_check email_changes_token_hash_check sign_ups_code_mac_check
    sign_ups_token_hash_check passkey_challenges_binding_check sso_log_ins_browser_hash_check
    sso_log_ins_code_mac_check sso_log_ins_link_hash_check sso_log_ins_state_hash_check
    sso_log_ins_ticket_hash_check`,
  'the text is a word of the code, never of a request': `
    audit_logs_action_check audit_logs_actor_type_check audit_logs_entry_point_check
    audit_logs_metadata_check audit_logs_result_check customers_status_check
    domain_schedules_sync_slot_check domains_end_reason_check expiry_notices_kind_check
    ledger_accounts_currency_check ledger_accounts_code_check ledger_transfers_code_check
    ledger_transfers_phase_check mails_dedupe_key_check mails_kind_check mails_state_check
    oauth_models_model_check oauth_signing_keys_alg_check oauth_signing_keys_kid_check
    oauth_signing_keys_purpose_check orders_state_check orders_type_check password_links_kind_check
    provider_clients_state_check registry_messages_kind_check card_checkouts_currency_check
    card_checkouts_status_check tasks_key_check tasks_kind_check invoices_kind_check
    invoices_status_check invoices_currency_check tld_prices_action_check
    tld_prices_cost_currency_check tld_prices_currency_check zones_state_check
    api_keys_made_by_check oauth_grants_end_reason_check webhooks_made_by_check
    tsig_keys_algorithm_check tsig_keys_made_by_check`,
  'the parser refuses it first, with 422 and the field': `
    waiting_nameservers_nameservers_check api_keys_name_check operator_keys_label_check
    contacts_address_check contacts_address_line_2_check contacts_city_check
    contacts_company_name_check contacts_country_check contacts_email_check contacts_handle_check
    contacts_name_check contacts_phone_country_code_check contacts_phone_number_check
    contacts_state_check contacts_zip_check customers_company_name_check customers_email_check
    customers_name_check password_links_email_check payments_amount_check zone_records_ttl_check
    dns_record_sets_rdata_check dns_record_sets_ttl_check dns_record_sets_type_check
    zone_records_value_check email_changes_email_check sign_ups_company_name_check
    sign_ups_email_check sign_ups_name_check customers_fresh_log_in
    customers_fresh_log_in_amount_check customers_fresh_log_in_currency_check
    push_subscriptions_service_check passkeys_name_check invoice_items_description_check
    invoice_items_quantity_check invoice_items_unit_amount_check invoices_notes_check
    invoices_tax_amount_check card_checkouts_amount_cents_check invoices_subtotal_amount_check
    invoices_processor_checkout_session_id_check invoices_processor_payment_intent_id_check`,
  'paths are allocated by one function alone, from the clock and a counter': `
    deposit_branches_branch_check deposit_branches_next_index_check deposit_branches_of_server
    deposit_branches_pkey deposit_paths_address_index_check deposit_paths_branch_fkey
    deposit_paths_once deposit_paths_pkey`,
  'a default role is taken from its holder under the lock of the customer': `
    contacts_one_admin contacts_one_billing contacts_one_registrant contacts_one_technical`,
  'subject and recipient are folded and parsed when the mail is queued': `
    mails_recipient_check mails_subject_check`,
  'columns that are set together, by one statement': `
    webhooks_maker tsig_keys_maker waiting_nameservers_maker waiting_nameservers_check
    card_checkouts_opened card_checkouts_paid card_checkouts_parked invoices_credit_note
    invoices_ended domains_ended mails_check mails_check1 oauth_documents_check orders_check
    password_links_check password_links_check1 sign_ups_check sign_ups_check1 sso_log_ins_check
    sso_log_ins_check1`,
  'the key is looked up and made under the lock of the customer, or with its account': `
    api_keys_for_mcp`,
  'client and document are parsed to these lengths before they are stored': `
    oauth_documents_client_id_check oauth_documents_etag_check oauth_grants_client_id_check
    oauth_grants_client_name_check oauth_grants_id_check oauth_grants_redirect_host_check
    oauth_models_registered_by_check`,
  'a response whose credential or subject is too long is refused before it is stored': `
    passkeys_credential_id_check sso_identities_subject_check`,
  'a counter is four unsigned bytes (WebAuthn section 6.1)': `passkeys_sign_count_check`,
  'argon2id writes it': `passwords_hash_check sign_ups_password_hash_check`,
  'only the archiving of the operator writes it, under an advisory lock': `
    audit_archived_leaves_archive_fkey audit_archived_leaves_pkey
    audit_archived_leaves_row_hash_check audit_archives_merkle_root_check audit_archives_name_check
    audit_archives_pkey audit_archives_record_hash_check audit_archives_record_hash_key
    audit_archives_row_count_check audit_archives_sha256_check audit_archives_signature_check`,
  'one writer under an advisory lock': `
    append_only_tables_pkey audit_blocks_block_hash_key audit_blocks_era_check
    audit_blocks_era_to_xid_to_id_key audit_blocks_number_check audit_blocks_pkey
    audit_blocks_previous_hash_key audit_blocks_row_count_check audit_eras_era_check
    audit_eras_first_id_key audit_eras_pkey schema_functions_pkey schema_migrations_pkey
    session_leases_pkey session_leases_number_check audit_alarms_pkey audit_restorations_check
    audit_restorations_check1 audit_restorations_era_check audit_restorations_era_key
    audit_restorations_lost_hash_check audit_restorations_number_check audit_restorations_pkey
    audit_restorations_previous_hash_check audit_restorations_reason_check
    audit_restorations_record_hash_check audit_restorations_record_hash_key
    audit_restorations_signature_check`,
  'terms are written by orders_settle and by a trigger, from orders that were captured once': `
    domain_terms_added_once domain_terms_check domain_terms_domain_id_fkey domain_terms_kind_check
    domain_terms_pkey`,
  'the key id is the thumbprint of a new key': `oauth_signing_keys_pkey`,
  'only functions of the owner write it, under an advisory lock': `
    partitioned_tables_months_check partitioned_tables_pkey partitions_follow partitions_parent_fkey
    partitions_pkey`,
  'an invoice is numbered by invoices_issue alone, under the lock of the last number': `
    invoices_number invoices_invoice_number_check invoices_of_customer`,
  'the processor gives each session to one checkout, by its idempotency key': `
    card_checkouts_session_id_key card_checkouts_session_id_check`,
  'a payment is credited for one session, and a checkout has one': `card_checkouts_payment_id_key`,
  'readings are counted up, and applied in their order under the lock of the payment': `
    card_readings_begun_check card_readings_check card_readings_parked_cents_check
    card_readings_settled_cents_check`,
  'a payment is credited once, and its credit makes the document': `invoices_one_of_payment`,
  'one row, which jobs replace': `ledger_checks_is_only_check metric_snapshots_is_only_check`,
  'the insert says on conflict, and the code is one of our own': `
    dns_signed_requests_pkey dns_signed_requests_rcode_check`,
  'the job counts it': `ledger_checks_differing_check`,
  'the database counts the octets itself': `
    dns_change_octets_octets_check dns_changes_octets_check`,
  'made with its change, and ended once, under the lock of the holding': `
    dns_confirmations_pkey dns_confirmations_maker dns_confirmations_kept dns_confirmations_ended
    dns_confirmations_state_check nameserver_confirmations_pkey nameserver_confirmations_maker
    nameserver_confirmations_kept nameserver_confirmations_ended
    nameserver_confirmations_state_check nameserver_confirmations_change_id_check`,
  'one row from the migration on': `
    invoice_numbers_only_row_check invoice_numbers_pkey own_nameservers_one_row_check
    own_nameservers_pkey sandbox_clock_only_row_check sandbox_clock_pkey`,
  'the job declares it': `schedules_every_ms_check`,
  'validated before, or checked in the answer of the gateway': `
    checkouts_amount_check checkouts_currency_check checkouts_customer_id_fkey checkouts_created
    checkouts_decimals_check checkouts_gateway_check checkouts_id_check checkouts_pay_amount_check
    checkouts_pkey checkouts_quote_cents_check checkouts_quote_units_check checkouts_reference
    checkouts_reference_check checkouts_started checkouts_status_check checkouts_reported_check
    checkout_payments_block checkout_payments_block_hash_check checkout_payments_block_number_check
    checkout_payments_gone_readings_check checkout_payments_received_units_check
    checkout_payments_amount_check checkout_payments_check checkout_payments_checkout_id_fkey
    checkout_payments_credited_check checkout_payments_decimals_check checkout_payments_id_check
    checkout_payments_pkey checkout_payments_rate checkout_payments_rate_cents_check
    checkout_payments_rate_units_check checkout_payments_reason checkout_payments_reason_check
    checkout_payments_state_check checkout_payments_treatment_check checkout_payments_value
    checkout_payments_withheld_check gateway_cursors_gateway_check gateway_cursors_pkey`,
  'written by the job that derives events, from the rules of events': `
    event_cursor_one_check event_cursor_pkey events_data_check events_id_check events_pkey
    events_type_check webhook_deliveries_id_check webhook_deliveries_last_error_check
    webhook_deliveries_pkey webhook_deliveries_state_check webhook_secrets_webhook_id_fkey
    webhooks_check webhooks_customer_id_fkey webhooks_description_check
    webhooks_disabled_because_check webhooks_id_check webhooks_pkey webhooks_types_check
    webhooks_url_check`,
  'checked against the offer, and read back under a lock of the customer': `
    x402_authorizations_checkout_id_fkey x402_authorizations_customer_id_fkey
    x402_authorizations_id_check x402_authorizations_nonce_check x402_authorizations_of_checkout
    x402_authorizations_once x402_authorizations_payer_check x402_authorizations_pkey
    x402_authorizations_reason x402_authorizations_reason_check x402_authorizations_settled
    x402_authorizations_hinted_transaction_id_check x402_authorizations_signature
    x402_authorizations_state_check x402_authorizations_token_check
    x402_authorizations_transaction_id_check x402_offers_chain_id_check x402_offers_checkout_id_fkey
    x402_offers_pkey x402_offers_token_check x402_transactions_authorization_id_fkey
    x402_transactions_gas_nonce_check x402_transactions_in_flight x402_transactions_pkey
    x402_transactions_transaction_id_check x402_transactions_wallet_check`,
  'conversations change in functions alone, under a lock of their row, after validation': `
    support_events_customer_id_fkey support_events_kind_check support_events_message_id_fkey
    support_events_pkey support_events_position_check support_events_reader
    support_events_reader_check support_messages_body_check support_messages_check
    support_messages_customer_id_fkey support_messages_event support_messages_event_check
    support_messages_once support_messages_pkey support_messages_sender_check
    support_stream_nodes_pkey support_streams_node_fkey support_streams_pkey
    support_threads_customer_id_fkey support_threads_customer_unread_check
    support_threads_last_event_check support_threads_mailed_event_check
    support_threads_operator_unread_check support_threads_operators_mailed_event_check
    support_threads_pkey support_threads_waiting`,
  'limits are parsed first, and written under the lock of the customer; spent is counted': `
    access_limits_allowed_domains_check access_limits_allowed_ips_check
    access_limits_allowed_tlds_check access_limits_api_key_id_fkey access_limits_api_key_id_key
    access_limits_app access_limits_customer_id_fkey access_limits_oauth_client_id_check
    access_limits_of access_limits_pkey access_limits_price access_limits_price_amount_check
    access_limits_price_currency_check access_limits_spend access_limits_spend_amount_check
    access_limits_spend_currency_check access_limits_spend_window_check access_limits_spent_check
    access_limits_approval access_limits_approval_amount_check access_limits_approval_currency_check
    access_limits_outside_allowed_check access_limits_dns access_limits_dns_hosts_check
    access_limits_dns_types_check tsig_keys_dns_hosts_check tsig_keys_dns_types_check`,
  'an approval is made of a purchase that was agreed, under the lock of the customer': `
    approvals_action_check approvals_amount_check approvals_api_key_id_fkey approvals_asked_by_check
    approvals_counted_for_check approvals_currency_check approvals_customer_id_fkey
    approvals_decision approvals_digest_check approvals_end approvals_input approvals_note_check
    approvals_of approvals_open_once approvals_order approvals_order_id_fkey approvals_order_id_key
    approvals_pkey approvals_price approvals_reason_check approvals_request_digest_check
    approvals_state_check`,
  'a browser is stored with its session, which is locked; the same endpoint is the same row': `
    push_subscriptions_customer_id_fkey push_subscriptions_endpoint_hash_check
    push_subscriptions_endpoint_hash_key push_subscriptions_id_check push_subscriptions_pkey
    push_subscriptions_session_id_fkey`,
  'a quote is made of a price that the registry was asked for, and never changed': `
    quotes_amount_check quotes_check quotes_currency_check quotes_customer_id_fkey
    quotes_period_years_check quotes_pkey quotes_price_check quotes_type_check`,
  'keys that sign documents are made under an advisory lock': `
    document_keys_kid_check document_keys_pkey document_keys_public_jwk_check
    document_keys_withdrawn`,
  'a price is cost and margin, above zero': `tld_prices_cost_check tld_prices_price_check`,
  'the id is made of the contact': `registry_contacts_registry_registry_contact_id_key`,
  'a domain is held by its own order alone; a holder is an order': `domain_contacts_pkey`,
  'money moves only in functions that lock the balance and take the price from the order': `
    ledger_accounts_currency ledger_accounts_customer ledger_accounts_owner ledger_accounts_reserve
    ledger_own_account ledger_own_credit_account orders_reserve ledger_credit_has_payment
    ledger_end_has_hold ledger_hold_has_order ledger_one_end ledger_one_hold ledger_pending_key
    ledger_transfer_evidence ledger_transfer_of_customer ledger_transfers_amount_check
    ledger_transfers_check ledger_transfers_check1 ledger_adjustments_check
    ledger_adjustments_id_check ledger_adjustments_kind_check ledger_adjustments_order
    ledger_adjustments_pkey ledger_adjustments_reason_check ledger_adjustments_transfer_id_fkey
    ledger_one_adjustment ledger_one_reversal ledger_transfers_adjustment_id_fkey
    ledger_transfers_payment_id_fkey ledger_transfers_reversal_id_fkey no_negative_debt
    no_negative_hold orders_amount_check orders_price payment_reversals_amount_check
    payment_reversals_check payment_reversals_credit payment_reversals_id_check
    payment_reversals_kind_check payment_reversals_pkey payments_account_check payments_amount
    payments_id_check payments_transfer payments_transfer_id_fkey`,
}

const words = (text: string) => text.trim().split(/\s+/)
const listed = [...Object.keys(faults), ...Object.values(unreachable).flatMap(words)]

test('every constraint has its fault or the reason why it has none, once', async () => {
  const rows = await db.query(
    `select conname as name from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'p', 'u', 'x')
        and conrelid not in (select oid from pg_class where relispartition)
     union
     select i.indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = 'public'::regnamespace and i.indisunique and not c.relispartition
     order by 1`,
  )
  assert.ok(rows.length > 100)
  assert.deepEqual([...listed].sort(), rows.map(({ name }) => String(name)).sort())
})

test('every code in the list is a fault of an operation', () => {
  const codes = new Set(operations.flatMap(faultsOf).map(({ code }) => code))
  for (const code of Object.values(faults).flatMap(words)) assert.ok(codes.has(code), code)
})
