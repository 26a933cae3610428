"""The boards, one file each, and the script that makes them."""
