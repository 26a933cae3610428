"""The boards, a file each, and the script that makes them."""
