# Reads domains at a registry with Net::EPP, a third-party client. Prints them as JSON.
use strict;
use warnings;
use JSON::PP;
use Net::EPP::Simple;

my ($settings, @names) = @ARGV;
my %option = %{ decode_json($settings) };
my $epp = Net::EPP::Simple->new(
    (map { $_ => $option{$_} } qw(host port user pass key cert ca_file)),
    verify      => 1,
    timeout     => 10,
    load_config => 0,
) or die "login: $Net::EPP::Simple::Error\n";

my %seen;
for my $name (@names) {
    $seen{$name} = $epp->domain_info($name)
        or die "domain:info $name: $Net::EPP::Simple::Error\n";
}
$epp->logout;
print JSON::PP->new->canonical->encode(\%seen), "\n";
